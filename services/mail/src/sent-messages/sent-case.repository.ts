import type { Id } from '@caseway/kit/caller'
import type { MessageIds } from '../composition/message-id.js'
import type { Tx } from '../database.js'

/** The cases of sent messages, by their Message-IDs. Ids that were not made here for the office are ignored. */
export const sentCases =
  (ids: Pick<MessageIds, 'isOf'>) =>
  async (tx: Tx, customerId: Id, messageIds: readonly string[]): Promise<ReadonlyMap<string, Id>> => {
    const own = messageIds.filter((id) => ids.isOf(id, customerId))
    if (own.length === 0) return new Map()
    const where = { customerId, msgUniqueIdentifier: { in: own }, issueId: { not: null } }
    const rows = await tx.mailSentMessage.findMany({ where, select: { msgUniqueIdentifier: true, issueId: true } })
    return new Map(rows.map(({ msgUniqueIdentifier: id, issueId }) => [id as string, issueId as Id]))
  }
