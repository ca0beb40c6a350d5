import type { Id } from '@caseway/kit/caller'

/** Whom an office knows by an address, in the order in which one of several decides. */
export const senderKinds = ['client', 'provider', 'office', 'lead'] as const
export type SenderKind = (typeof senderKinds)[number]

/** Somebody who is known by an address. */
export interface KnownSender {
  readonly kind: SenderKind
  /** Of a client: their account. */
  readonly clientId: Id | null
}

/** An address as it is compared. */
export const addressKey = (address: string): string => address.trim().toLowerCase()
