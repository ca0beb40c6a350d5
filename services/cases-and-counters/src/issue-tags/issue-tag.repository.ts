import type { Employee, Id } from '@caseway/kit/caller'
import { type BatchStatement, office, type References, resourceReads } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { issueTagResource, type NewIssueTag } from './issue-tag.resource.js'

/** The statement by which live streams learn of cases that have changed. */
type PublishIssues = (customerId: Id, issueIds: readonly Id[]) => BatchStatement

/** What cases show of their tags. */
const shown = ['name', 'colorBackground', 'colorText'] as const
type Shown = Readonly<Record<(typeof shown)[number], string>>

/** The tags themselves. */
interface Tags {
  lock(tx: Tx, caller: Employee, id: Id, expected?: number): Promise<Shown>
  change(caller: Employee, id: Id, changes: Partial<Shown>): Promise<unknown>
  remove(caller: Employee, id: Id): Promise<unknown>
}

export interface IssueTagDependencies {
  readonly tags: Tags
  readonly named: References<'issue_id' | 'tag_id'>
  readonly publishIssues: PublishIssues
}

type Link = NewIssueTag & { readonly customerId: Id }

export const issueTagRepository = (db: Db, { tags, named, publishIssues }: IssueTagDependencies) => {
  const reads = resourceReads(db, issueTagResource)

  /** Comes last in each transaction: other changes of the office wait for the feed. */
  const publish = async ({ customerId }: Employee, issueIds: readonly Id[]) => {
    if (issueIds.length > 0) await db.batch(office(customerId), publishIssues(customerId, issueIds))
  }

  /** DO UPDATE locks a link that is there already, also where its WHERE is false, so that it is still there when it is read. */
  const insertOrLock = (tx: Tx, { customerId, issueId, tagId }: Link) =>
    tx.$queryRaw<{ id: Id }[]>`
      INSERT INTO issue_tags (customer_id, issue_id, tag_id) VALUES (${customerId}, ${issueId}, ${tagId})
      ON CONFLICT (issue_id, tag_id) DO UPDATE SET tag_id = excluded.tag_id WHERE false
      RETURNING id`

  const casesWith = async (tx: Tx, { customerId }: Employee, tagId: Id) => {
    const links = await tx.issueTag.findMany({ where: { customerId, tagId }, select: { issueId: true } })
    return links.map(({ issueId }) => issueId)
  }

  return {
    ...reads,

    create: (caller: Employee, { issueId, tagId }: NewIssueTag): Promise<Id> =>
      db.write(caller, async (tx) => {
        const link = { customerId: caller.customerId, issueId, tagId }
        await named.keep(tx, caller, link)
        const [created] = await insertOrLock(tx, link)
        if (!created) return (await tx.issueTag.findFirstOrThrow({ where: link, select: { id: true } })).id
        await publish(caller, [issueId])
        return created.id
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        const { issueId } = await reads.lock(tx, caller, id, expected)
        await tx.issueTag.delete({ where: { id, customerId: caller.customerId } })
        await publish(caller, [issueId])
      }),

    /** Takes a tag from a case, which may not have it. */
    removePair: (caller: Employee, { issueId, tagId }: NewIssueTag) =>
      db.write(caller, async (tx) => {
        const link = { customerId: caller.customerId, issueId, tagId }
        await named.keep(tx, caller, link)
        const { count } = await tx.issueTag.deleteMany({ where: link })
        if (count > 0) await publish(caller, [issueId])
      }),

    /** Changes a tag. The cases that have it look different where it does. */
    changeTag: (caller: Employee, id: Id, changes: Partial<Shown>, expected?: number) =>
      db.write(caller, async (tx) => {
        const before = await tags.lock(tx, caller, id, expected)
        await tags.change(caller, id, changes)
        const looksDifferent = shown.some((field) => changes[field] !== undefined && changes[field] !== before[field])
        if (looksDifferent) await publish(caller, await casesWith(tx, caller, id))
      }),

    /** Removes a tag, and takes it from all cases: while it is locked, no case gets it. */
    removeTag: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await tags.lock(tx, caller, id, expected)
        const issueIds = await casesWith(tx, caller, id)
        // Its links go with it, by their foreign key.
        await tags.remove(caller, id)
        await publish(caller, issueIds)
      }),
  }
}
