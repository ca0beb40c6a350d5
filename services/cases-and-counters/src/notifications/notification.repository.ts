import type { Employee, Id } from '@caseway/kit/caller'
import { type BatchStatement, type ParamOf, resourceReads, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Follower } from '../issues/issue-change.js'
import { type Fact, issueFact } from './notification.js'
import { notificationResource } from './notification.resource.js'
import type { PublishingNotifications } from './publishing-notifications.js'

export const notificationRepository = (db: Db, publishing: PublishingNotifications) => {
  const reads = resourceReads(db, notificationResource)
  const knownIssue = (param: ParamOf<Fact>) => param(({ issueId }) => issueId)
  const insertOfKnown = publishing(insert(knownIssue, (param) => param(({ objectId, issueId }) => objectId ?? issueId)))
  const insertOfInsertedIssue = publishing(insert(insertedIssue, insertedIssue))
  const seeAll = publishing((param: ParamOf<Seen>) => sql`${see(param)} RETURNING id, user_id`)
  const seeOne = publishing((param: ParamOf<Seen & { id: Id }>) => {
    const id = param(({ id }) => id)
    return sql`${see(param)} AND id = ${id} RETURNING id, user_id`
  })

  const seeOfIssue = publishing((param: ParamOf<OfIssue>) => sql`${seeOf(param)} RETURNING id, user_id`)

  /** The statement that inserts the notices of a fact, in its transaction. */
  const notify = (fact: Fact): BatchStatement => (fact.issueId === 'inserted' ? insertOfInsertedIssue(fact) : insertOfKnown(fact))

  /** Notifies of a change of a case, in its transaction. The notifications of a deleted case are marked as seen, because they lead nowhere. */
  const follow: Follower = (change) => {
    const { actor, before, after } = change
    if (before && !after) return [seeOfIssue({ customerId: actor.customerId, issueId: before.id })]
    const fact = issueFact(change)
    return fact ? [notify(fact)] : []
  }

  return {
    ...reads,
    notify,
    follow,

    change: (caller: Employee, id: Id, { seen }: { seen: boolean }, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        if (seen) await db.batch(caller, seeOne({ ...caller, id }))
      }),

    async markAllSeen(caller: Employee): Promise<void> {
      await db.batch(caller, seeAll(caller))
    },
  }
}

export type NotificationRepository = ReturnType<typeof notificationRepository>

type IdOf = (param: ParamOf<Fact>) => unknown

const insertedIssue: IdOf = () => sql`currval('issues_id_seq')`

const insert = (issueId: IdOf, objectId: IdOf) => (param: ParamOf<Fact>) =>
  sql`
  INSERT INTO notifications (customer_id, user_id, from_user_id, issue_id, type, object_id, object_version)
  SELECT ${param(({ customerId }) => customerId)}, user_id, ${param(({ fromUserId }) => fromUserId)}::bigint, ${issueId(param)}::bigint, type,
    ${objectId(param)}::bigint, ${param(({ version }) => version)}::int
  FROM unnest(
    ${param(({ notices }) => notices.map(({ userId }) => userId))}::bigint[], ${param(({ notices }) => notices.map(({ type }) => type))}::text[]
  ) AS notice (user_id, type)
  ON CONFLICT DO NOTHING RETURNING id, user_id`

interface Seen {
  readonly customerId: Id
  readonly userId: Id
}

const markSeen = sql`UPDATE notifications SET status = 'seen', seen_at = now() WHERE status = 'new'`

const see = (param: ParamOf<Seen>) => sql`
  ${markSeen} AND customer_id = ${param(({ customerId }) => customerId)} AND user_id = ${param(({ userId }) => userId)}`

interface OfIssue {
  readonly customerId: Id
  readonly issueId: Id
}

const seeOf = (param: ParamOf<OfIssue>) => sql`
  ${markSeen} AND customer_id = ${param(({ customerId }) => customerId)} AND issue_id = ${param(({ issueId }) => issueId)}`
