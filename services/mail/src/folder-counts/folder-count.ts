import type { Id } from '@caseway/kit/caller'
import { isOfficeFolder, type SystemFolder } from '../received-messages/target-folder.js'

/** The properties of a message that decide which folder counts it. */
export interface CountedMessage {
  /** The owner of the mailbox. */
  readonly userId: Id
  readonly folderName: SystemFolder | null
  readonly mailFolderId: Id | null
  readonly isRead: boolean
}

/** The change of one count. The owner of a custom folder is looked up when the change is stored. */
export interface FolderDelta {
  /** 0 when the folder belongs to the office, or is a custom one. */
  readonly userId: Id
  readonly folder: Exclude<SystemFolder, 'SENT' | 'TRASH'> | 'CUSTOM'
  readonly folderId: Id
  readonly by: number
}

type Counted = Omit<FolderDelta, 'by'>

/** The folder that counts a message: DRAFTS counts all messages, other folders unread ones; SENT and TRASH count none. */
function counting({ userId, folderName, mailFolderId, isRead }: CountedMessage): Counted | undefined {
  if (folderName === 'DRAFTS') return { userId, folder: folderName, folderId: 0n }
  if (isRead || folderName === 'SENT' || folderName === 'TRASH') return undefined
  if (mailFolderId !== null) return { userId: 0n, folder: 'CUSTOM', folderId: mailFolderId }
  if (folderName === null) return undefined
  return { userId: isOfficeFolder(folderName) ? 0n : userId, folder: folderName, folderId: 0n }
}

/** The changes of counts that the change of a message causes. `before` is null for a message that arrives, `after` for one that is removed. */
export function deltasOf(before: CountedMessage | null, after: CountedMessage | null): FolderDelta[] {
  const [left, entered] = [before && counting(before), after && counting(after)]
  return [...(left ? [{ ...left, by: -1 }] : []), ...(entered ? [{ ...entered, by: 1 }] : [])]
}

/** The sum of the changes of each folder, without those that are 0. */
export function summed(deltas: readonly FolderDelta[]): FolderDelta[] {
  const sums = new Map<string, FolderDelta>()
  for (const delta of deltas) {
    const key = `${delta.userId} ${delta.folder} ${delta.folderId}`
    sums.set(key, { ...delta, by: (sums.get(key)?.by ?? 0) + delta.by })
  }
  return [...sums.values()].filter(({ by }) => by !== 0)
}

/**
 * Changes the counts of an office in the transaction that changes the messages, and publishes them. Call it once in a transaction, and last: other
 * changes of the same folders wait for its row locks.
 */
export type ChangeFolderCounts<Tx> = (tx: Tx, customerId: Id, deltas: readonly FolderDelta[]) => Promise<void>

/** A custom folder; `userId` is null where it belongs to the office. */
interface CustomFolder {
  readonly id: Id
  readonly userId: Id | null
}

export type BeginCount<Tx> = (tx: Tx, customerId: Id, folder: CustomFolder) => Promise<void>
export type EndCount<Tx> = (tx: Tx, customerId: Id, folderId: Id) => Promise<void>
