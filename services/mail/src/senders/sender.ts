import type { Id } from '@caseway/kit/caller'

/** The kinds of known senders, in the order of precedence. */
export const senderKinds = ['client', 'provider', 'office', 'lead'] as const
export type SenderKind = (typeof senderKinds)[number]

/** A sender who is known by an address. */
export interface KnownSender {
  readonly kind: SenderKind
  /** The account of a client; null for other kinds. */
  readonly clientId: Id | null
}

/** An address in the form in which addresses are compared. */
export const addressKey = (address: string): string => address.trim().toLowerCase()
