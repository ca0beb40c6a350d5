import type { Id } from '@caseway/kit/caller'
import type { FolderState } from './mailbox-source.js'

/** A folder on a server, and how far it was read. */
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
  /** Whether there are messages whose flag is to be set there, or failed ones whose next try has come. */
  readonly isWaiting: boolean
}

/** The one folder of a POP3 mailbox. */
export const pop3Path = 'INBOX'

/** The numbers that messages of a POP3 mailbox have here in place of UIDs. */
export interface KnownUidls {
  /** By their unique ids, of those that were stored, discarded, or noted as failed. */
  readonly uids: ReadonlyMap<string, bigint>
  /** The highest that was given. */
  readonly lastUid: bigint
}

const hourMs = 3_600_000

/** Whether all UIDs are compared again: what was moved or deleted elsewhere is found by that. */
export const isCompareDue = ({ comparedAt }: RemoteFolder): boolean => comparedAt === null || Date.now() - comparedAt.getTime() >= hourMs

/** Whether the server numbers other messages with the UIDs that are known. */
export const isNewEpoch = (folder: RemoteFolder, { uidValidity }: FolderState): boolean =>
  folder.uidValidity !== null && folder.uidValidity !== uidValidity

/** Whether there is nothing to do. A server that does not count changes of flags is asked for them when the hour has passed. */
export const isUnchanged = (folder: KnownFolder, state: FolderState): boolean =>
  folder.uidValidity === state.uidValidity &&
  folder.uidNext === state.uidNext &&
  folder.highestModseq === state.highestModseq &&
  folder.specialUse === state.specialUse &&
  !folder.isWaiting &&
  !isCompareDue(folder)
