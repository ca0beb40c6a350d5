import type { Id } from '@caseway/kit/caller'
import { type Database, office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { noSuchRecord } from '@caseway/kit/errors'
import type { UserEvent } from '@caseway/protos/auth/v1/events'
import { userTopic } from '@caseway/protos/topics'
import type { AuthDirectory } from './auth-directory.js'
import { copyInTable } from './copied-table.js'
import { missingReferences, type OfOffice, type References } from './references.js'

interface UserOfOffice extends OfOffice {
  readonly id: Id
}

const rowOf = ({ id, customerId, email, firstname, lastname, active, revision }: UserEvent) => ({
  ...{ id, customer_id: customerId, email, firstname, lastname, active, revision },
})

const activeUser = prepared(
  (param: ParamOf<UserOfOffice>) => sql`
    SELECT FROM users WHERE customer_id = ${param(({ customerId }) => customerId)} AND id = ${param(({ id }) => id)} AND active`,
)

/** Who works at which office, in the table `users`. */
export function copiedUsers(db: Database<unknown>, auth: AuthDirectory) {
  const isCopied = async (user: UserOfOffice) => (await db.query(office(user.customerId), activeUser(user))).length > 0
  /** By the copy, and where it says no, by auth, which may already know more. */
  const worksAt = async ({ customerId }: OfOffice, id: Id) => (await isCopied({ customerId, id })) || auth.hasUser(customerId, id)
  const missing = (office: OfOffice, users: References) => missingReferences(users, (id) => worksAt(office, id))

  return {
    copy: copyInTable(db, { table: 'users', topic: userTopic, rowOf, pages: auth.users }),

    /** The fields whose ids are not of people who work at the office. */
    missing,

    /** @throws AppError `invalid` with every field that is `missing` */
    async mustExist(office: OfOffice, users: References): Promise<void> {
      const fields = await missing(office, users)
      if (fields.length > 0) throw noSuchRecord(...fields)
    },
  }
}

export type Users = ReturnType<typeof copiedUsers>
