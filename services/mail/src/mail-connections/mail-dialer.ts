import type { GuardedAddress } from '@caseway/kit/outbound'
import { encryptions, type MailboxAccess } from './mailbox-access.js'

/** Milliseconds until a step of a connection has failed. */
export interface Timeouts {
  readonly connectMs: number
  /** For the greeting, and for the answer to a command. */
  readonly greetingMs: number
  /** For the next byte of what is long. */
  readonly idleMs: number
}

/** Of connections that nobody waits for. */
export const usualTimeouts: Timeouts = { connectMs: 15_000, greetingMs: 15_000, idleMs: 60_000 }

/** Of a try: the gateway waits 5 seconds for an answer. */
export const tryTimeouts: Timeouts = { connectMs: 4000, greetingMs: 4000, idleMs: 4000 }

export interface Dialed extends GuardedAddress {
  /** Options of `tls.connect` by which the certificate is verified. */
  readonly tls: { readonly servername?: string; readonly ca: readonly string[] }
}

/** Finds out where a mail server is, and by whose certificates it is verified. @throws OutboundError for a host that may not be connected to */
export type MailDialer = (mailbox: Pick<MailboxAccess, 'serverAddress' | 'serverPort'>) => Promise<Dialed>

/** Encryption never falls back: what was asked for is there, or the connection fails. */
export const isTls = ({ serverEncryption }: Pick<MailboxAccess, 'serverEncryption'>) => serverEncryption === encryptions.tls
export const isStartTls = ({ serverEncryption }: Pick<MailboxAccess, 'serverEncryption'>) => serverEncryption === encryptions.startTls
