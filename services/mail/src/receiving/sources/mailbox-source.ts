import type { Readable } from 'node:stream'

/** The state of a folder, as the server reports it without opening the folder. */
export interface FolderState {
  readonly path: string
  /** inbox, sent, drafts, trash, junk, archive; null for others (RFC 6154). */
  readonly specialUse: string | null
  /** If it changes, the server has renumbered the messages. */
  readonly uidValidity: bigint
  /** The next message gets at least this UID; null where the server does not report it. */
  readonly uidNext: bigint | null
  /** The highest mod-sequence, which grows with each change of flags (RFC 7162); null where the server has none. */
  readonly highestModseq: bigint | null
  readonly messages: number
}

export interface SelectedFolder {
  /** Absent where the server reports it only with the state. */
  readonly uidValidity?: bigint
}

/** The properties of a message that are fetched to decide about it. */
export interface LightMessage {
  readonly uid: bigint
  /** The unique id of POP3. */
  readonly uidl?: string
  /** In bytes. */
  readonly size: number
  /** When the server received it (INTERNALDATE). */
  readonly internalDate: Date
  readonly seen: boolean
  readonly header: Uint8Array
}

/** The bytes of a message without its files. */
export interface TextOfMessage {
  readonly source: Uint8Array
  /** The sizes of the files that are left out, in their order, decoded and in bytes. */
  readonly leftOut: readonly number[]
}

export interface SeenMessage {
  readonly uid: bigint
  readonly seen: boolean
}

/** The server does not send the rest of a message; others can be fetched. */
export class MessageBroken extends Error {
  override readonly name = 'MessageBroken'

  constructor() {
    super('The mail server did not send the rest of a message.')
  }
}

/**
 * A mailbox on its server, over one connection. Make one call at a time; calls without a path concern the selected folder. Each throws
 * MailConnectionError when the server or the connection fails.
 */
export interface MailboxSource {
  /** Whether `wait` notices new messages. */
  readonly canWait: boolean
  /** The states of the folders. */
  folders(): Promise<FolderState[]>
  /** Whether the last `folders` call listed the folder as one that can contain messages, even if the server did not report its state. */
  isThere(path: string): boolean
  /** @returns null where the server refuses to select the folder, for example because it was deleted */
  select(path: string): Promise<SelectedFolder | null>
  /** The UIDs of the messages, ascending. @param after only UIDs above it */
  uids(after: bigint): Promise<bigint[]>
  /** The UIDs of messages received from the day of `since` until before the day of `before`, in the time zone of the server, ascending. */
  uidsBetween(since: Date, before: Date): Promise<bigint[]>
  /** The messages that still exist, ascending by UID. */
  light(uids: readonly bigint[]): Promise<LightMessage[]>
  /** The bytes of the messages that still exist, all in memory at once. */
  bodies(uids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>
  /** The bytes without files of the messages that have files. Messages without files are left out, and so are those whose structure cannot be used. */
  texts(uids: readonly bigint[]): Promise<ReadonlyMap<bigint, TextOfMessage>>
  /** The bytes of a large message; null when it is gone. Read the stream to its end before the next call. It throws MessageBroken where only this message fails. */
  stream(uid: bigint): Promise<Readable | null>
  /** The read flags that have changed since `modseq`; all flags where it is null. */
  seenSince(modseq: bigint | null): Promise<SeenMessage[]>
  /** @returns false where the server refuses it, for example because the folder is read-only */
  setSeen(uids: readonly bigint[], seen: boolean): Promise<boolean>
  /**
   * Resolves when something changes in the inbox, the signal is aborted, the connection ends, or the time is over.
   * @returns whether the connection is still usable
   */
  wait(timeoutMs: number, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
