import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import type { HeaderFields, ParsedMail } from '../parsing/parsed-mail.js'
import type { TargetFolder } from './target-folder.js'
import type { TraceReason } from './trace-reason.js'

/** A mailbox, as far as receiving needs it. */
export interface ReceivingMailbox {
  /** Of the server that receives. */
  readonly id: Id
  readonly customerId: Id
  readonly userId: Id
  readonly address: string
  /** What the server received before this is not fetched. */
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
  /** What the folder is for (RFC 6154): inbox, sent, drafts, trash, junk, archive; null for others. */
  readonly specialUse: string | null
}

/** The header of a message. */
export interface MailHeaders extends HeaderFields {
  /** The values of a header, in whatever case its name is written. */
  get(name: string): readonly string[]
}

/** What is known of a message before its body is fetched. */
export interface Announced {
  readonly place: Place
  /** In bytes. */
  readonly size: number
  /** When the server received it. */
  readonly internalDate: Date
  readonly seen: boolean
  readonly headers: MailHeaders
}

/** To be fetched and stored in a folder. */
export interface Stored {
  readonly kind: 'store'
  readonly folder: TargetFolder
  readonly clientId: Id | null
  readonly reason: TraceReason
}

/** Not to be fetched. */
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
  /** Null when it could not be parsed: then only what could be read of the header is known. */
  readonly parsed: ParsedMail | null
  /** Its files were left on the server, and its bytes are those of its text. */
  readonly partial: boolean
  /** Fetched by a backfill: nobody is told of it. */
  readonly silent: boolean
}

/** A message with the id by which it is stored. */
export type StoredMessage = Arrived & { readonly id: Id }

/** What became of messages that were to be stored. */
export interface IntakeResult {
  readonly stored: number
  readonly duplicates: number
  /** Keys of the bytes of duplicates: nothing refers to them. */
  readonly unusedBlobs: string[]
}

/** Places of messages in the drafts of a server. */
export interface DraftsAtServer extends Pick<Place, 'remoteFolderId' | 'epoch'> {
  /** Null: all of the folder. */
  readonly uids: readonly bigint[] | null
}

/** Takes what the engine receives. */
export interface Intake {
  /** In the order of `messages`. */
  decide(mailbox: ReceivingMailbox, messages: readonly Announced[]): Promise<Decision[]>
  /** In the transaction that advances the cursor. A message whose bytes the mailbox already has gets a further place. */
  store(tx: Tx, mailbox: ReceivingMailbox, messages: readonly Arrived[]): Promise<IntakeResult>
  /** Remembers what was not fetched, so that it is not decided again. */
  discard(tx: Tx, mailbox: ReceivingMailbox, messages: readonly (Announced & { readonly reason: TraceReason })[]): Promise<void>
  /** The server says that messages are read, or unread. What was changed here and is not yet written back stays. */
  seen(tx: Tx, mailbox: ReceivingMailbox, places: readonly { readonly place: Place; readonly seen: boolean }[]): Promise<void>
  /** Drafts are not on the server any more. @param forget forgets their places */
  draftsVanished(tx: Tx, customerId: Id, drafts: DraftsAtServer, forget: () => Promise<void>): Promise<void>
}

/** What this module asks of the engine. */
export interface Receiving {
  /** Lets the engine look at a mailbox, in the transaction that wrote what is to be done there. */
  enqueue(tx: Tx, customerId: Id, mailServerId: Id): Promise<void>
}
