import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../../database.js'
import type { HeaderFields, ParsedMail } from '../../parsing/parsed-mail.js'
import type { TargetFolder } from '../target-folder.js'
import type { TraceReason } from '../trace-reason.js'

/** The properties of a mailbox that receiving needs. */
export interface ReceivingMailbox {
  /** The id of the receiving mail server. */
  readonly id: Id
  readonly customerId: Id
  readonly userId: Id
  readonly address: string
  /** Messages that the server received before this are not fetched. */
  readonly fetchAfter: Date | null
  readonly downloadAttachments: boolean
}

/** Where a message is on its server. */
export interface Place {
  readonly remoteFolderId: Id
  readonly epoch: number
  readonly uid: bigint
  /** The unique id of POP3. */
  readonly uidl?: string
  /** The special use of the folder (RFC 6154): inbox, sent, drafts, trash, junk, archive; null for others. */
  readonly specialUse: string | null
}

/** The header of a message. */
export interface MailHeaders extends HeaderFields {
  /** The values of a header; letter case of its name is ignored. */
  get(name: string): readonly string[]
}

/** The properties of a message before its body is fetched. */
export interface Announced {
  readonly place: Place
  /** In bytes. */
  readonly size: number
  /** When the server received it. */
  readonly internalDate: Date
  readonly seen: boolean
  readonly headers: MailHeaders
}

/** The decision to fetch a message and store it in a folder. */
export interface Stored {
  readonly kind: 'store'
  readonly folder: TargetFolder
  readonly clientId: Id | null
  readonly reason: TraceReason
}

/** The decision not to fetch a message. */
export interface Discarded {
  readonly kind: 'discard'
  readonly reason: TraceReason
}

export type Decision = Stored | Discarded

/** A message whose bytes are stored. */
export interface Arrived extends Announced {
  readonly decision: Stored
  readonly blobKey: string
  readonly sha256: Uint8Array
  /** Null when the message could not be parsed: then only its header is known. */
  readonly parsed: ParsedMail | null
  /** Whether its files were left on the server; the stored bytes are those of its text. */
  readonly partial: boolean
  /** Whether it was fetched by a backfill, which notifies nobody. */
  readonly silent: boolean
}

/** A stored message with its id. */
export type StoredMessage = Arrived & { readonly id: Id }

/** The result of storing messages. */
export interface IntakeResult {
  readonly stored: number
  readonly duplicates: number
  /** The keys of bytes that no message refers to, because they are duplicates. */
  readonly unusedBlobs: string[]
}

/** Messages in the drafts folder of a server. */
export interface DraftsAtServer extends Pick<Place, 'remoteFolderId' | 'epoch'> {
  /** Null for all of the folder. */
  readonly uids: readonly bigint[] | null
}

/** Decides about and stores what the receiving engine fetches. */
export interface Intake {
  /** @returns the decisions in the order of `messages` */
  decide(mailbox: ReceivingMailbox, messages: readonly Announced[]): Promise<Decision[]>
  /** Stores messages in the transaction that advances the cursor. A message whose bytes the mailbox already has gets a further place. */
  store(tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[]): Promise<IntakeResult>
  /** Records discarded messages, so that they are not decided again. */
  discard(tx: Tx, mailbox: ReceivingMailbox, messages: readonly (Announced & { readonly reason: TraceReason })[]): Promise<void>
  /** Applies read flags of the server. Flags that were changed here and are not yet written to the server win. */
  seen(tx: Tx, mailbox: ReceivingMailbox, places: readonly { readonly place: Place; readonly seen: boolean }[]): Promise<void>
  /** Handles drafts that are gone from the server. @param forget deletes their places */
  draftsVanished(tx: Tx, customerId: Id, drafts: DraftsAtServer, forget: () => Promise<void>): Promise<void>
}

/** The receiving engine, as this module uses it. */
export interface Receiving {
  /** Enqueues a run of the mailbox, in the transaction that wrote its work. */
  enqueue(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
}
