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

/** The columns to write: fields as they were sent, and the state that the rules derive from the others. */
export type Written = Omit<IssueChanges, keyof IssueState> & Partial<IssueState & Pick<IssueRecord, 'waitingSince' | 'firstResponseAt'>>
/** Decides about a change with the case locked, and may write what belongs to it; the case is published afterwards. Undefined leaves the case unchanged. */
export type Decision = (issue: IssueRecord, tx: Tx) => Written | undefined | Promise<Written | undefined>

/** The records that a case refers to, apart from people. Whoever writes a reference locks the record, so that it is not deleted meanwhile. */
export type IssueReferences = References<'issue_subject_id' | 'group_id' | 'issue_initiator_id' | 'provider_id'>

/** Runs `work` in the scope of an office on a client's behalf. @throws AppError if the client may not write there */
export type WriteAs = <T>(client: Client, customerId: Id, work: (tx: Tx) => Promise<T>, hidden?: AppError) => Promise<T>

const insertEvent = outboxStatement(issueTopic)

export const issueRepository = (db: Db, followers: readonly Follower[], writeAs: WriteAs, named: IssueReferences) => {
  const reads = resourceReads(db, issueResource, {}, boardReads)
  const own = resourceReads(db, clientIssueResource, {}, clientBoardReads)

  /** One batch, in this order: the followers take the locks for which all changes of an office wait. */
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

  /** One batch for all cases that are opened concurrently, so that the numbers and counters of the office are locked only while PostgreSQL writes them. */
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

    /** Opens a case in the running transaction, which has locked the records that it refers to. */
    open: (_tx: Tx, customerId: Id, issue: OpenedByPlatform): Promise<Id> => open({ customerId, userId: null }, { ...issue, ...untouched }),

    change: (caller: Employee, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        const written = await decide(before, tx)
        await named.keep(tx, caller, written ?? {})
        await apply(tx, caller, before, written)
      }),

    /** Changes a client's own case: it is locked in the client's scope, which spans all offices, and written in that of its office. */
    changeOwn: (client: Client, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(client, async (tx) => {
        const { customerId } = await own.lock(tx, client, id, expected)
        await writeAs(client, customerId, async (tx) => {
          const before = recordOf(await tx.issue.findFirstOrThrow({ where: { id, customerId } }))
          await apply(tx, { customerId, userId: client.userId }, before, await decide(before, tx))
        })
      }),

    /**
     * Changes a case because of an offer for the client, who need not see the case: it may have no client.
     * @throws AppError `not-found` if it was deleted, or has another client
     */
    changeOffered: (client: Client, customerId: Id, id: Id, decide: Decision): Promise<void> =>
      writeAs(client, customerId, async (tx) => {
        const locked = await tx.$queryRaw<object[]>`
          SELECT FROM issues WHERE id = ${id} AND customer_id = ${customerId} AND coalesce(user_client_id, ${client.userId}) = ${client.userId} FOR UPDATE`
        // The case was deleted with its offers, or has another client.
        if (locked.length === 0) throw notFound()
        const before = recordOf(await tx.issue.findFirstOrThrow({ where: { id, customerId } }))
        await apply(tx, { customerId, userId: client.userId }, before, await decide(before, tx))
      }),

    /** The cases among `ids` to which files can be attached. Clients see none of these files, because they only see the sentences of a case. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableObject[]> {
      const where = { customerId, id: { in: [...ids] } }
      const found = await db.read(office(customerId)).issue.findMany({ where, select: { id: true, version: true } })
      return found.map((row) => seenByEmployees(row, row.id))
    },

    /**
     * Removes up to `limit` cases from their group. All of them are locked first: writing one locks the feed and the counters of the office, for which
     * others wait while they hold locks of cases.
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

/** A check constraint limits the status, and the resource the source, to the values of the types. */
const recordOf = (row: IssueRow) => row as IssueRecord

export type IssueRepository = ReturnType<typeof issueRepository>
