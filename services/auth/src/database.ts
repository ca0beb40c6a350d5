import type { Id } from '@caseway/kit/caller'
import { type Database, onViolation, type ParamOf, prepared, statements, type TransactionOf } from '@caseway/kit/database'
import { emailReserved, emailTaken } from './accounts/account-errors.js'
import type { PrismaClient } from './generated/client.js'

export type Db = Database<PrismaClient>
export type Tx = TransactionOf<PrismaClient>

type Addressed = Record<'users' | 'clients', { id: Id; email_lower: string }>

const byAddress = (table: keyof Addressed) =>
  prepared((param: ParamOf<string>) =>
    statements<Addressed>()
      .selectFrom(table)
      .select('id')
      .where((eb) => eb('email_lower', '=', eb.fn<string>('lower', [eb.val(param((email) => email.toLowerCase()))]))),
  )

/**
 * Finds the account with an address, case-insensitively and by index: a comparison with the column `email` itself would scan the table. The address is
 * folded here, in the same way as by the limits of sign-ins: `lower` of PostgreSQL maps İ to i, and such a spelling would be counted separately.
 */
export const accountByAddress = { user: byAddress('users'), client: byAddress('clients') }

/** The error to throw for one of a transaction that wrote the address of an account. */
export const onAddress = (error: unknown, table: keyof Addressed): unknown =>
  onViolation(onViolation(error, `${table}_email_key`, emailTaken()), 'reserved_address', emailReserved())
