import type { Id } from '@caseway/kit/caller'
import {
  type Database,
  forgetRevisions,
  keepNewest,
  office,
  type ParamOf,
  platform,
  prepared,
  sql,
  type TransactionOf,
} from '@caseway/kit/database'
import { batchConsumer, type Copy } from '@caseway/kit/events'
import type { GroupEvent } from '@caseway/protos/auth/v1/events'
import { groupTopic } from '@caseway/protos/topics'
import type { AuthDirectory } from './auth-directory.js'
import type { OfOffice } from './references.js'

interface GroupOfOffice extends OfOffice {
  readonly id: Id
}

type Group = Pick<GroupEvent, 'id' | 'customerId' | 'deleted' | 'revision'>

interface GroupOptions<Prisma> {
  /** Called in the transaction in which the copy learns that groups were deleted, to remove references to them. */
  onDeleted?: (tx: TransactionOf<Prisma>, groups: readonly GroupOfOffice[]) => Promise<void>
}

const table = 'groups'

const rowOf = ({ id, customerId, deleted, revision }: Group) => ({ id, customer_id: customerId, deleted, revision })

interface GroupsOfOffice extends OfOffice {
  readonly ids: readonly Id[]
}

const ofOffice = (param: ParamOf<GroupsOfOffice>) =>
  sql`customer_id = ${param(({ customerId }) => customerId)} AND id = ANY (${param(({ ids }) => ids)}::bigint[])`

const known = prepared(
  (param: ParamOf<GroupsOfOffice>) => sql<{ id: Id; deleted: boolean }>`SELECT id, deleted FROM groups WHERE ${ofOffice(param)}`,
)

/** Locks groups in share mode until the transaction ends, so that several transactions may refer to a group concurrently. */
const lockPresent = prepared(
  (param: ParamOf<GroupsOfOffice>) => sql<{ id: Id }>`SELECT id FROM groups WHERE ${ofOffice(param)} AND NOT deleted ORDER BY id FOR SHARE`,
)

/** Groups that the snapshot has not contained since `forgetRevisions`. */
const forgotten = prepared(() => sql<GroupOfOffice>`SELECT id, customer_id AS "customerId" FROM groups WHERE revision = -1 AND NOT deleted`)

const deletedOf = prepared(
  (param: ParamOf<readonly Id[]>) =>
    sql<GroupOfOffice>`SELECT id, customer_id AS "customerId" FROM groups WHERE id = ANY (${param((ids) => ids)}::bigint[]) AND deleted`,
)

/** The groups of each office, in the table `groups`, where deleted groups are kept as deleted. Can be passed to `references` of the kit. */
export function copiedGroups<Prisma>(db: Database<Prisma>, auth: AuthDirectory, { onDeleted }: GroupOptions<Prisma> = {}) {
  const store = (groups: readonly Group[]): Promise<void> =>
    db.write(platform, async (tx) => {
      const ids = groups.map(({ id }) => id)
      const before = await db.query(platform, deletedOf(ids))
      await keepNewest(tx, table, groups.map(rowOf))
      const after = await db.query(platform, deletedOf(ids))
      // Includes groups that were unknown before: another transaction may have stored one meanwhile, and a third may have referred to it.
      const deleted = after.filter(({ id }) => !before.some((group) => group.id === id))
      if (deleted.length > 0) await onDeleted?.(tx, deleted)
    })

  /** A group that auth knows but whose event has not arrived is stored immediately, because `keep` locks the rows of the copy. */
  const ask = async ({ customerId }: OfOffice, id: Id) => {
    const group = await auth.group(customerId, id)
    if (group) await store([{ ...group, deleted: false }])
    return group ? [{ id }] : []
  }

  const copy: Copy<Group[]> = {
    name: table,
    consumer: batchConsumer(groupTopic, store),
    pages: auth.groups,
    store,
    forget: () => forgetRevisions(db, table),
    async endForgotten() {
      const groups = await db.query(platform, forgotten(undefined))
      await store(groups.map((group) => ({ ...group, deleted: true, revision: 0n })))
    },
  }

  return {
    copy,

    /** Those of `ids` that are groups of the office: looked up in the copy, and if missing there, at auth. */
    async some({ customerId }: OfOffice, ids: readonly Id[]): Promise<{ readonly id: Id }[]> {
      const copied = await db.query(office(customerId), known({ customerId, ids }))
      const unknown = ids.filter((id) => !copied.some((group) => group.id === id))
      const asked = await Promise.all(unknown.map((id) => ask({ customerId }, id)))
      return [...copied.filter(({ deleted }) => !deleted), ...asked.flat()]
    },

    /**
     * Those of `ids` that are groups of the office in the copy. They cannot be deleted before the transaction of `write` ends, so that references
     * written in it exist before `onDeleted` is called. `_tx` only proves that a transaction is open.
     */
    keep: (_tx: object, { customerId }: OfOffice, ids: readonly Id[]) => db.query(office(customerId), lockPresent({ customerId, ids })),
  }
}
