import type { Id } from '@caseway/kit/caller'
import { isOfficeFolder, type SystemFolder } from '../received-messages/target-folder.js'

/** What of a message decides where it is counted. */
export interface CountedMessage {
  /** The owner of the mailbox. */
  readonly userId: Id
  readonly folderName: SystemFolder | null
  readonly mailFolderId: Id | null
  readonly isRead: boolean
}

/** By how much the count of a folder changes. Whose a custom folder is, is known where it is stored. */
export interface FolderDelta {
  /** 0 when the folder belongs to the office, or is a custom one. */
  readonly userId: Id
  readonly folder: Exclude<SystemFolder, 'SENT' | 'TRASH'> | 'CUSTOM'
  readonly folderId: Id
  readonly by: number
}

type Counted = Omit<FolderDelta, 'by'>

/** The folder that counts a message: unread ones, and of drafts all. Nothing is counted in SENT and TRASH. */
function counting({ userId, folderName, mailFolderId, isRead }: CountedMessage): Counted | undefined {
  if (folderName === 'DRAFTS') return { userId, folder: folderName, folderId: 0n }
  if (isRead || folderName === 'SENT' || folderName === 'TRASH') return undefined
  if (mailFolderId !== null) return { userId: 0n, folder: 'CUSTOM', folderId: mailFolderId }
  if (folderName === null) return undefined
  return { userId: isOfficeFolder(folderName) ? 0n : userId, folder: folderName, folderId: 0n }
}

/** What a change of a message means for the counts. Null stands for a message that is not there, before it arrived or after it was removed. */
export function deltasOf(before: CountedMessage | null, after: CountedMessage | null): FolderDelta[] {
  const [left, entered] = [before && counting(before), after && counting(after)]
  return [...(left ? [{ ...left, by: -1 }] : []), ...(entered ? [{ ...entered, by: 1 }] : [])]
}

/** One change for each folder, without those that come to nothing. */
export function summed(deltas: readonly FolderDelta[]): FolderDelta[] {
  const sums = new Map<string, FolderDelta>()
  for (const delta of deltas) {
    const key = `${delta.userId} ${delta.folder} ${delta.folderId}`
    sums.set(key, { ...delta, by: (sums.get(key)?.by ?? 0) + delta.by })
  }
  return [...sums.values()].filter(({ by }) => by !== 0)
}

/**
 * Changes the counts of an office in the transaction of what they count, and publishes them. To be called once in a transaction, and last: whoever
 * changes a folder of the office waits at its count.
 */
export type ChangeFolderCounts<Tx> = (tx: Tx, customerId: Id, deltas: readonly FolderDelta[]) => Promise<void>

/** A custom folder; `userId` is null where it belongs to the office. */
interface CustomFolder {
  readonly id: Id
  readonly userId: Id | null
}

export type BeginCount<Tx> = (tx: Tx, customerId: Id, folder: CustomFolder) => Promise<void>
export type EndCount<Tx> = (tx: Tx, customerId: Id, folderId: Id) => Promise<void>

/** Publishes all counts of an office, as newer than what was published before, also than what a restored database has lost. */
export type RenewCounts<Tx> = (tx: Tx, customerId: Id) => Promise<void>
