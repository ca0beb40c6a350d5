import type { Id } from '@caseway/kit/caller'
import type { FolderState } from '../sources/mailbox-source.js'

/** A folder on a mail server, with its cursors. */
export interface RemoteFolder {
  readonly id: Id
  readonly customerId: Id
  readonly path: string
  readonly specialUse: string | null
  readonly uidValidity: bigint | null
  readonly epoch: number
  readonly lastUid: bigint
  readonly uidNext: bigint | null
  readonly highestModseq: bigint | null
  readonly comparedAt: Date | null
}

export interface KnownFolder extends RemoteFolder {
  /** Whether flags are to be set on the server, or failed messages are due for a retry. */
  readonly isWaiting: boolean
}

/** The one folder of a POP3 mailbox. */
export const pop3Path = 'INBOX'

/** The UIDs that messages of a POP3 mailbox have here: POP3 itself has none. */
export interface KnownUidls {
  /** UIDs by unique id, of stored, discarded and failed messages. */
  readonly uids: ReadonlyMap<string, bigint>
  /** The highest assigned UID. */
  readonly lastUid: bigint
}

const hourMs = 3_600_000

/** Whether all UIDs are due to be compared, which finds messages that were moved or deleted on the server. */
export const isCompareDue = ({ comparedAt }: RemoteFolder): boolean => comparedAt === null || Date.now() - comparedAt.getTime() >= hourMs

/** Whether the server has renumbered its messages, so that known UIDs name others. */
export const isNewEpoch = (folder: RemoteFolder, { uidValidity }: FolderState): boolean =>
  folder.uidValidity !== null && folder.uidValidity !== uidValidity

/** Whether there is nothing to do. Where the server does not count changes of flags, they are compared once an hour. */
export const isUnchanged = (folder: KnownFolder, state: FolderState): boolean =>
  folder.uidValidity === state.uidValidity &&
  state.uidNext !== null &&
  folder.uidNext === state.uidNext &&
  folder.highestModseq === state.highestModseq &&
  folder.specialUse === state.specialUse &&
  !folder.isWaiting &&
  !isCompareDue(folder)
