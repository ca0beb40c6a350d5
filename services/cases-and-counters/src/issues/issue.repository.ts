import { publishAudit } from '@caseway/kit/audit'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import { office, type References, resourceReads } from '@caseway/kit/database'
import { type AppError, noSuchRecord, notFound } from '@caseway/kit/errors'
import { outboxStatement } from '@caseway/kit/events'
import { type LinkableObject, seenByEmployees } from '@caseway/kit/objects'
import { issueTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { Issue as IssueRow } from '../generated/client.js'
import { boardReads, clientBoardReads } from './board.repository.js'
import { clientIssueResource } from './client-issue.resource.js'
import { defaultPriority, type IssueState, type OpenedByPlatform, untouched } from './issue.js'
import { type IssueChanges, type IssueRecord, issueResource, type NewIssue } from './issue.resource.js'
import type { Actor, Changed, Follower, IssueChange } from './issue-change.js'
import { issueEvent } from './issue-event.js'
import { type InsertedIssue, insertIssue, insertOpenedEvent } from './opened-issue.repository.js'

/** What is written of a case: plain fields as they were sent, and the state that the rules made of the others. */
export type Written = Omit<IssueChanges, keyof IssueState> & Partial<IssueState & Pick<IssueRecord, 'waitingSince' | 'firstResponseAt'>>
/** May write what belongs to the change as well: the case is locked, and is published afterwards; without an answer it stays as it is. */
export type Decision = (issue: IssueRecord, tx: Tx) => Written | undefined | Promise<Written | undefined>

/** What a case names beside people. Whoever writes such a name keeps the record, so that no case names one that is gone. */
export type IssueReferences = References<'issue_subject_id' | 'group_id' | 'issue_initiator_id' | 'provider_id'>

/** The transaction of an office in which a client writes; throws where they may not. */
type WriteAs = <T>(client: Client, customerId: Id, work: (tx: Tx) => Promise<T>, hidden?: AppError) => Promise<T>

const insertEvent = outboxStatement(issueTopic)

export const issueRepository = (db: Db, followers: readonly Follower[], writeAs: WriteAs, named: IssueReferences) => {
  const reads = resourceReads(db, issueResource, {}, boardReads)
  const own = resourceReads(db, clientIssueResource, {}, clientBoardReads)

  /** Sent together, and run in this order: the followers take the locks at which the changes of an office meet. */
  const publish = async (change: Changed) => {
    await db.batch(office(change.actor.customerId), insertEvent({ event: issueEvent(change) }), ...followed(change))
  }
  const followed = (change: IssueChange) => followers.flatMap((follow) => follow(change))

  const apply = async (tx: Tx, actor: Actor, before: IssueRecord, written?: Written) => {
    if (!written) return
    const where = { id: before.id, customerId: before.customerId }
    const after = await tx.issue.update({ where, data: written })
    await publish({ actor, before, after: recordOf(after) })
  }

  /** One message for all cases that are opened at once: the numbers and counters of an office are locked for as long as PostgreSQL needs to write them. */
  const open = async ({ customerId, userId }: Actor, { groupId = null, userClientId = null, ...issue }: InsertedIssue): Promise<Id> => {
    const after = { ...issue, customerId, groupId, userClientId, priority: issue.priority ?? defaultPriority, version: 1 }
    const change = { actor: { customerId, userId }, before: null, after }
    const [opened] = await db.groupedBatch(office(customerId), insertIssue(after), insertOpenedEvent(change), ...followed(change))
    if (!opened) throw new Error('The case was not written.')
    return opened.id
  }

  return {
    ...reads,
    own,

    create: (caller: Employee, issue: NewIssue & IssueState): Promise<Id> =>
      named.areIn(issue)
        ? db.write(caller, async (tx) => {
            await named.keep(tx, caller, issue)
            return open(caller, issue)
          })
        : open(caller, issue),

    createOwn: (client: Client, customerId: Id, issue: NewIssue & IssueState): Promise<Id> =>
      writeAs(
        client,
        customerId,
        () => open({ customerId, userId: client.userId }, { ...issue, userClientId: client.userId }),
        noSuchRecord('customer_id'),
      ),

    /** In the transaction of `tx`, which keeps what the case names. */
    open: (_tx: Tx, customerId: Id, issue: OpenedByPlatform): Promise<Id> => open({ customerId, userId: null }, { ...issue, ...untouched }),

    change: (caller: Employee, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        const written = await decide(before, tx)
        await named.keep(tx, caller, written ?? {})
        await apply(tx, caller, before, written)
      }),

    /** A client reaches their own cases of all offices; what they change is written inside of the one office. */
    changeOwn: (client: Client, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(client, async (tx) => {
        const { customerId } = await own.lock(tx, client, id, expected)
        await writeAs(client, customerId, async (tx) => {
          const before = recordOf(await tx.issue.findFirstOrThrow({ where: { id, customerId } }))
          await apply(tx, { customerId, userId: client.userId }, before, await decide(before, tx))
        })
      }),

    /** A case whose offer names the client, who may see nothing else of it: it has no client, or them. */
    changeOffered: (client: Client, customerId: Id, id: Id, decide: Decision): Promise<void> =>
      writeAs(client, customerId, async (tx) => {
        const locked = await tx.$queryRaw<object[]>`
          SELECT FROM issues WHERE id = ${id} AND customer_id = ${customerId} AND coalesce(user_client_id, ${client.userId}) = ${client.userId} FOR UPDATE`
        // Deleted, its offers with it, or another client's.
        if (locked.length === 0) throw notFound()
        const before = recordOf(await tx.issue.findFirstOrThrow({ where: { id, customerId } }))
        await apply(tx, { customerId, userId: client.userId }, before, await decide(before, tx))
      }),

    /** Those of `ids` to which files can be attached. No client sees such a file: what they see of a case is its sentences. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableObject[]> {
      const where = { customerId, id: { in: [...ids] } }
      const found = await db.read(office(customerId)).issue.findMany({ where, select: { id: true, version: true } })
      return found.map((row) => seenByEmployees(row, row.id))
    },

    /**
     * Takes up to `limit` cases from their group. All of them are locked before the first is written: the feed and the counters of the
     * office are locked with it, for which others wait who have a case locked.
     * @returns how many
     */
    leaveGroup: (customerId: Id, groupId: Id, limit: number): Promise<number> =>
      db.write(office(customerId), async (tx) => {
        const locked = await tx.$queryRaw<{ id: Id }[]>`
          SELECT id FROM issues WHERE customer_id = ${customerId} AND group_id = ${groupId} ORDER BY id LIMIT ${limit} FOR UPDATE`
        const rows = await tx.issue.findMany({ where: { customerId, id: { in: locked.map(({ id }) => id) } }, orderBy: { id: 'asc' } })
        for (const row of rows) await apply(tx, { customerId, userId: null }, recordOf(row), { groupId: null })
        return rows.length
      }),

    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        await tx.issue.delete({ where: { id, customerId: caller.customerId } })
        const subject = { kind: 'issue', id }
        await publishAudit(tx, { kind: 'issue.deleted', subject, details: { number: String(before.number) } })
        await publish({ actor: caller, before, after: null })
      }),
  }
}

/** A check constraint keeps the status, and the resource the source, to the words that there are. */
const recordOf = (row: IssueRow) => row as IssueRecord

export type IssueRepository = ReturnType<typeof issueRepository>
