import type { GuardedAddress } from '@caseway/kit/outbound'
import { encryptions, type MailboxAccess } from './mailbox-access.js'

/** The timeouts of a connection, in milliseconds. */
export interface Timeouts {
  readonly connectMs: number
  /** For the greeting, and for the answer to a command. */
  readonly greetingMs: number
  /** For the next byte of a long answer. */
  readonly idleMs: number
}

/** For connections in the background. */
export const usualTimeouts: Timeouts = { connectMs: 15_000, greetingMs: 15_000, idleMs: 60_000 }

/** For trying a mailbox: the gateway waits 5 seconds for the answer. */
export const tryTimeouts: Timeouts = { connectMs: 4000, greetingMs: 4000, idleMs: 4000 }

export interface Dialed extends GuardedAddress {
  /** Options of `tls.connect` by which the certificate is verified. */
  readonly tls: { readonly servername?: string; readonly ca: readonly string[] }
}

/** Resolves a mail server to an address and the TLS options that verify it. @throws OutboundError for a host that may not be connected to */
export type MailDialer = (mailbox: Pick<MailboxAccess, 'serverAddress' | 'serverPort'>) => Promise<Dialed>

/** Encryption never falls back: if the requested encryption is not available, the connection fails. */
export const isTls = ({ serverEncryption }: Pick<MailboxAccess, 'serverEncryption'>) => serverEncryption === encryptions.tls
export const isStartTls = ({ serverEncryption }: Pick<MailboxAccess, 'serverEncryption'>) => serverEncryption === encryptions.startTls
