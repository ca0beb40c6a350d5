import type { Readable } from 'node:stream'

/** What a server says of a folder without opening it. */
export interface FolderState {
  readonly path: string
  /** inbox, sent, drafts, trash, junk, archive; null for others (RFC 6154). */
  readonly specialUse: string | null
  /** Another value than before: the server has numbered the messages anew. */
  readonly uidValidity: bigint
  /** The UID that the next message gets, at least. */
  readonly uidNext: bigint
  /** Grows with each change of flags (RFC 7162); null where the server does not count them. */
  readonly highestModseq: bigint | null
  readonly messages: number
}

/** What is fetched of a message before it is known whether it is wanted. */
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

/** A message without its files. */
export interface TextOfMessage {
  readonly source: Uint8Array
  /** The sizes of the files that are left out, in their order, decoded and in bytes. */
  readonly leftOut: readonly number[]
}

export interface SeenMessage {
  readonly uid: bigint
  readonly seen: boolean
}

/**
 * A mailbox on its server, over one connection. One call at a time; those without a path are of the folder that was selected.
 * Each throws a MailConnectionError when the server or the connection fails.
 */
export interface MailboxSource {
  /** Whether `wait` hears of a new message by itself. */
  readonly canWait: boolean
  /** What the server says of its folders. */
  folders(): Promise<FolderState[]>
  /** Whether the folder was there the last time, also where the server did not say its state. */
  isThere(path: string): boolean
  select(path: string): Promise<void>
  /** In ascending order. @param after only UIDs above it */
  uids(after: bigint): Promise<bigint[]>
  /** Of what was received from the day of `since` to before the day of `before`, on the clocks of the server, in ascending order. */
  uidsBetween(since: Date, before: Date): Promise<bigint[]>
  /** Of those that are still there, in ascending order. */
  light(uids: readonly bigint[]): Promise<LightMessage[]>
  /** The bytes of those that are still there, all in memory at once. */
  bodies(uids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>
  /** The bytes without files of those that have some; what has none is not among them, nor is what the server cannot cut. */
  texts(uids: readonly bigint[]): Promise<ReadonlyMap<bigint, TextOfMessage>>
  /** The bytes of a large message; null when it is gone. No other call before its end. */
  stream(uid: bigint): Promise<Readable | null>
  /** Flags that have changed since; all of them when it is null. */
  seenSince(modseq: bigint | null): Promise<SeenMessage[]>
  setSeen(uids: readonly bigint[], seen: boolean): Promise<void>
  /**
   * Resolves when something changes in the inbox, when the signal is aborted, when the connection ends, and at the latest after this time.
   * @returns whether the connection is still there
   */
  wait(timeoutMs: number, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
