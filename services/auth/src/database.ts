import type { Id } from '@caseway/kit/caller'
import { type Database, onViolation, type ParamOf, prepared, statements, type TransactionOf } from '@caseway/kit/database'
import { emailReserved, emailTaken } from './accounts/account-errors.js'
import type { PrismaClient } from './generated/client.js'

/** This service's own database. */
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
 * The account with an e-mail address, whatever its case. A comparison with the column `email` itself would read all accounts. The address is folded
 * here as the limits of sign-ins fold it: `lower` of PostgreSQL also makes an i of İ, and each such spelling would have tries of its own.
 */
export const accountByAddress = { user: byAddress('users'), client: byAddress('clients') }

/** What to throw for an error of a transaction that wrote the address of an account. */
export const onAddress = (error: unknown, table: keyof Addressed): unknown =>
  onViolation(onViolation(error, `${table}_email_key`, emailTaken()), 'reserved_address', emailReserved())
