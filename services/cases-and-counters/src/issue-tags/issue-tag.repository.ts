import type { Employee, Id } from '@caseway/kit/caller'
import { type BatchStatement, office, type References, resourceReads } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { issueTagResource, type NewIssueTag } from './issue-tag.resource.js'

/** The statement that publishes changed cases to the live streams. */
type PublishIssues = (customerId: Id, issueIds: readonly Id[]) => BatchStatement

/** The fields of a tag that cases show. */
const shown = ['name', 'colorBackground', 'colorText'] as const
type Shown = Readonly<Record<(typeof shown)[number], string>>

/** The part of the tags module that is used here. */
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

  /** The last statement of each transaction, because other changes of the office wait for the feed. */
  const publish = async ({ customerId }: Employee, issueIds: readonly Id[]) => {
    if (issueIds.length > 0) await db.batch(office(customerId), publishIssues(customerId, issueIds))
  }

  /** ON CONFLICT DO UPDATE locks an existing link even if its WHERE is false, so that it still exists when it is read. */
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

    /** Removes a tag from a case; does nothing if the case does not have it. */
    removePair: (caller: Employee, { issueId, tagId }: NewIssueTag) =>
      db.write(caller, async (tx) => {
        const link = { customerId: caller.customerId, issueId, tagId }
        await named.keep(tx, caller, link)
        const { count } = await tx.issueTag.deleteMany({ where: link })
        if (count > 0) await publish(caller, [issueId])
      }),

    /** Changes a tag, and publishes the cases that show it if a shown field differs. */
    changeTag: (caller: Employee, id: Id, changes: Partial<Shown>, expected?: number) =>
      db.write(caller, async (tx) => {
        const before = await tags.lock(tx, caller, id, expected)
        await tags.change(caller, id, changes)
        const looksDifferent = shown.some((field) => changes[field] !== undefined && changes[field] !== before[field])
        if (looksDifferent) await publish(caller, await casesWith(tx, caller, id))
      }),

    /** Deletes a tag and its links. While it is locked, no case can get it. */
    removeTag: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await tags.lock(tx, caller, id, expected)
        const issueIds = await casesWith(tx, caller, id)
        // The foreign key cascades to the links.
        await tags.remove(caller, id)
        await publish(caller, issueIds)
      }),
  }
}
