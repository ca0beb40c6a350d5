import type { Id } from '@caseway/kit/caller'
import { isOfficeFolder, type TargetFolder } from '../received-messages/target-folder.js'

/** A received message that was changed, with its present folder and the one before. */
export interface ChangedMessage {
  readonly id: Id
  /** The owner of the mailbox. */
  readonly userId: Id
  readonly folders: readonly TargetFolder[]
}

/** The event about the messages that a transaction changed. */
export interface MessagesChanged {
  readonly customerId: Id
  /** The only user who may see the change; 0 for the whole office. */
  readonly userId: Id
  readonly receivedIds: Id[]
  readonly sentIds: Id[]
}

/** Publishes, in the transaction of the change, the received messages that it changed. */
export type PublishReceived<Tx> = (tx: Tx, customerId: Id, messages: readonly ChangedMessage[]) => Promise<void>

/** Publishes, in the transaction of the change, the sent messages and drafts that it changed or deleted. */
export type PublishSent<Tx> = (tx: Tx, customerId: Id, messages: readonly { readonly id: Id; readonly userId: Id }[]) => Promise<void>

/** More than a live stream shows at once: beyond that, its readers are told to reload everything, and need no further ids. */
export const maxAtOnce = 501

/** Whether anybody but the owner of the mailbox may see the folder. A custom folder may belong to the office. */
const isShared = ({ system }: TargetFolder) => system === null || isOfficeFolder(system)

/** One event for the office, or one for each owner where nobody else sees the folders. */
export function receivedChanges(customerId: Id, messages: readonly ChangedMessage[]): MessagesChanged[] {
  const shared = messages.some(({ folders }) => folders.some(isShared))
  const byReader = Map.groupBy(messages, ({ userId }) => (shared ? 0n : userId))
  return [...byReader].map(([userId, of]) => ({ ...whose(customerId, userId), receivedIds: of.slice(0, maxAtOnce).map(({ id }) => id) }))
}

/** One event for each author: nobody else sees a sent message. */
export function sentChanges(customerId: Id, messages: readonly { readonly id: Id; readonly userId: Id }[]): MessagesChanged[] {
  const byAuthor = Map.groupBy(messages, ({ userId }) => userId)
  return [...byAuthor].map(([userId, of]) => ({ ...whose(customerId, userId), sentIds: of.slice(0, maxAtOnce).map(({ id }) => id) }))
}

const whose = (customerId: Id, userId: Id): MessagesChanged => ({ customerId, userId, receivedIds: [], sentIds: [] })
