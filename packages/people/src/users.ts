import type { Id } from '@caseway/kit/caller'
import { type Database, office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import { refuseMissing } from '@caseway/kit/errors'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { userTopic } from '@caseway/protos/topics'
import type { AuthDirectory } from './auth-directory.js'
import { copyInTable } from './copied-table.js'
import { missingReferences, type OfOffice, type References, type Stored } from './references.js'

interface UserOfOffice extends OfOffice {
  readonly id: Id
}

interface UserOptions {
  /** Called in the transaction in which the copy learns that people have left their office; may be called repeatedly for the same person. */
  onInactive?: (tx: object, ids: readonly Id[]) => Promise<void>
}

const rowOf = ({ id, customerId, email, firstname, lastname, active, revision }: UserEvent) => ({
  ...{ id, customer_id: customerId, email, firstname, lastname, active, revision },
})

const activeUser = prepared(
  (param: ParamOf<UserOfOffice>) => sql`
    SELECT FROM users WHERE customer_id = ${param(({ customerId }) => customerId)} AND id = ${param(({ id }) => id)} AND active`,
)

type Person = Pick<UserEvent, 'id' | 'customerId' | 'email' | 'firstname' | 'lastname'>

/** People who work at an office, and whom the snapshot has not contained since `forgetRevisions`. */
const forgotten = prepared(
  () => sql<Person>`SELECT id, customer_id AS "customerId", email, firstname, lastname FROM users WHERE active AND revision = -1`,
)

const inactiveOf = prepared(
  (param: ParamOf<readonly Id[]>) => sql<{ id: Id }>`SELECT id FROM users WHERE id = ANY (${param((ids) => ids)}::bigint[]) AND NOT active`,
)

/** The users and the offices at which they work, in the table `users`. */
export function copiedUsers(db: Database<unknown>, auth: AuthDirectory, { onInactive }: UserOptions = {}) {
  const isCopied = async (user: UserOfOffice) => (await db.query(office(user.customerId), activeUser(user))).length > 0
  /** Looks up the copy, and if the user is not active there, auth, which may be ahead. */
  const worksAt = async ({ customerId }: OfOffice, id: Id) => (await isCopied({ customerId, id })) || auth.hasUser(customerId, id)
  const missing = (office: OfOffice, users: References, stored?: Stored) => missingReferences(users, (id) => worksAt(office, id), stored)

  const onStored =
    onInactive &&
    (async (tx: object, users: readonly UserEvent[]) => {
      const inactive = await db.query(platform, inactiveOf(users.map(({ id }) => id)))
      if (inactive.length > 0)
        await onInactive(
          tx,
          inactive.map(({ id }) => id),
        )
    })

  const copy = copyInTable(db, { table: 'users', topic: userTopic, rowOf, pages: auth.users, onStored })
  /** Marks people whom auth does not have as inactive. */
  const endForgotten = async () => {
    const people = await db.query(platform, forgotten(undefined))
    await copy.store(people.map((person) => UserEvent.fromPartial({ ...person, active: false, revision: 0n })))
  }

  return {
    copy: { ...copy, endForgotten },

    /** The names of the fields whose ids are not of users who work at the office. Ids that the stored record has are not refused. */
    missing,

    /** @throws AppError `invalid` with every field of `missing` */
    async mustExist(...named: Parameters<typeof missing>): Promise<void> {
      refuseMissing(await missing(...named))
    },
  }
}

export type Users = ReturnType<typeof copiedUsers>
