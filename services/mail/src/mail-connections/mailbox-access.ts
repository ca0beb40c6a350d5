import type { Id } from '@caseway/kit/caller'

/** The protocol of a server: 1 SMTP sends, 2 IMAP and 3 POP3 receive. */
export const protocols = { smtp: 1, imap: 2, pop3: 3 } as const

export const protocolName = (protocol: number): string =>
  Object.entries(protocols).find(([, number]) => number === protocol)?.[0] ?? String(protocol)

/** The encryption of a connection: 0 none, 1 STARTTLS, 2 TLS from the first byte. */
export const encryptions = { none: 0, startTls: 1, tls: 2 } as const

/** The secret with which a mailbox signs in. Never logged. */
export type Credentials = { readonly password: string } | { readonly accessToken: string }

/** The properties of a mailbox that a connection to its server needs. */
export interface MailboxAccess {
  readonly serverProtocol: number
  readonly serverAddress: string
  readonly serverPort: number
  readonly serverEncryption: number
  readonly userLogin: string
  readonly credentials: Credentials
}

/** A stored mailbox with its decrypted credentials. */
export interface Mailbox extends MailboxAccess {
  readonly id: Id
  readonly customerId: Id
  readonly userId: Id
  readonly userEmail: string
  /** active, auth_failed, config_error or paused. */
  readonly state: string
  /** Messages before this day are not fetched; YYYY-MM-DD. */
  readonly fetchAfterDate: string | null
  /** Null means true. */
  readonly downloadAttachments: boolean | null
}

/** Whether the protocol is one for receiving messages. */
export const receives = (protocol: number): boolean => protocol === protocols.imap || protocol === protocols.pop3
