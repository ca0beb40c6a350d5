import type { Id } from '@caseway/kit/caller'
import { isOfficeFolder, type TargetFolder } from '../received-messages/target-folder.js'

/** A received message that was changed, and the folders in which it is and was. */
export interface ChangedMessage {
  readonly id: Id
  /** The owner of the mailbox. */
  readonly userId: Id
  readonly folders: readonly TargetFolder[]
}

/** Messages of a transaction that look different from now on. */
export interface MessagesChanged {
  readonly customerId: Id
  /** Who may see a difference; 0 stands for everybody of the office. */
  readonly userId: Id
  readonly receivedIds: Id[]
  readonly sentIds: Id[]
}

/** Publishes, in the transaction of the change, which received messages look different from now on. */
export type PublishReceived<Tx> = (tx: Tx, customerId: Id, messages: readonly ChangedMessage[]) => Promise<void>

/** Publishes, in the transaction of the change, which messages that people write look different from now on, or are gone. */
export type PublishSent<Tx> = (tx: Tx, customerId: Id, messages: readonly { readonly id: Id; readonly userId: Id }[]) => Promise<void>

/** More than a stream shows at once: its readers are told to read everything anew, and further ids would say no more. */
export const mostAtOnce = 501

/** What is in a folder of one person is seen by the owner of the mailbox alone. A custom folder may be one of the office. */
const isShared = ({ system }: TargetFolder) => system === null || isOfficeFolder(system)

/** One for the office, or one for each owner where nobody else can see a difference. */
export function receivedChanges(customerId: Id, messages: readonly ChangedMessage[]): MessagesChanged[] {
  const shared = messages.some(({ folders }) => folders.some(isShared))
  const byReader = Map.groupBy(messages, ({ userId }) => (shared ? 0n : userId))
  return [...byReader].map(([userId, of]) => ({ ...whose(customerId, userId), receivedIds: of.slice(0, mostAtOnce).map(({ id }) => id) }))
}

/** Whoever wrote a message is the only one who sees it. */
export function sentChanges(customerId: Id, messages: readonly { readonly id: Id; readonly userId: Id }[]): MessagesChanged[] {
  const byAuthor = Map.groupBy(messages, ({ userId }) => userId)
  return [...byAuthor].map(([userId, of]) => ({ ...whose(customerId, userId), sentIds: of.slice(0, mostAtOnce).map(({ id }) => id) }))
}

const whose = (customerId: Id, userId: Id): MessagesChanged => ({ customerId, userId, receivedIds: [], sentIds: [] })
