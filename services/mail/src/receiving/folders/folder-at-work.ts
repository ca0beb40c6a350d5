import type { Run } from '@caseway/kit/jobs'
import type { Tx } from '../../database.js'
import type { Announced, Decision, ReceivingMailbox } from '../../received-messages/arrivals/arrived-message.js'
import type { Counted } from '../backfills/backfill.js'
import type { LightMessage, MailboxSource } from '../sources/mailbox-source.js'
import type { RemoteFolder } from './remote-folder.js'

/** How older messages are fetched, by a backfill. */
export interface FetchPlan {
  decide(messages: readonly Announced[]): Promise<readonly Decision[]>
  /** Called in the transaction that stores a batch. */
  count(tx: Tx, counted: Counted): Promise<void>
  /** The cursor of the job after a batch that ends with this UID, so that nothing is counted twice. */
  cursor(uid: bigint): unknown
}

export interface FolderAtWork {
  readonly run: Run<unknown>
  readonly mailbox: ReceivingMailbox
  readonly source: MailboxSource
  readonly folder: RemoteFolder
  /** Without a plan the intake decides. */
  readonly plan?: FetchPlan
}

/** Pages of messages, as the server describes them. */
export type Pages = AsyncIterable<readonly LightMessage[]>
