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
  /** Called in the transaction in which the copy learns of people who do not work at their office any more; also of those it knew of already. */
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

/** People who work at an office, and whom `forgetRevisions` has left alone since. */
const forgotten = prepared(
  () => sql<Person>`SELECT id, customer_id AS "customerId", email, firstname, lastname FROM users WHERE active AND revision = -1`,
)

const inactiveOf = prepared(
  (param: ParamOf<readonly Id[]>) => sql<{ id: Id }>`SELECT id FROM users WHERE id = ANY (${param((ids) => ids)}::bigint[]) AND NOT active`,
)

/** Who works at which office, in the table `users`. */
export function copiedUsers(db: Database<unknown>, auth: AuthDirectory, { onInactive }: UserOptions = {}) {
  const isCopied = async (user: UserOfOffice) => (await db.query(office(user.customerId), activeUser(user))).length > 0
  /** By the copy, and where it says no, by auth, which may already know more. */
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
  /** Whom auth does not have works nowhere. */
  const endForgotten = async () => {
    const people = await db.query(platform, forgotten(undefined))
    await copy.store(people.map((person) => UserEvent.fromPartial({ ...person, active: false, revision: 0n })))
  }

  return {
    copy: { ...copy, endForgotten },

    /** The fields whose ids are not of people who work at the office, nor named by the record already that `stored` reads. */
    missing,

    /** @throws AppError `invalid` with every field that is `missing` */
    async mustExist(...named: Parameters<typeof missing>): Promise<void> {
      refuseMissing(await missing(...named))
    },
  }
}

export type Users = ReturnType<typeof copiedUsers>
