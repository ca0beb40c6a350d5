import { types } from 'node:util'
import pg from 'pg'
import { AppError, unavailable } from '../errors/index.js'

export { outcomeUnknown } from '../errors/index.js'

/** The parts of an error of pg that Prisma's adapter keeps. It does not keep the name of an exclusion constraint. */
interface AdapterCause {
  readonly originalCode?: string
  readonly originalMessage?: string
  readonly constraint?: { readonly index?: string }
}

/** The fields that are read here of the errors of pg, Node's sockets, Prisma and its adapter. */
interface DriverError {
  readonly code?: string
  readonly message: string
  readonly constraint?: string
  readonly cause?: AdapterCause
  readonly meta?: { driverAdapterError?: { cause?: AdapterCause } }
}

/** After `rolled-back` and `lost` a unit of work may be repeated at once; after `busy` that would only increase the load. */
type Trouble = 'rolled-back' | 'lost' | 'busy'

/**
 * By SQLSTATE (PostgreSQL, appendix A), by the codes of sockets and resolvers, and by codes of Prisma where it hides both. A database that refuses the
 * role, its password or every connection (28000, 28P01, 55000), does not exist (3D000), or has no disk space or memory left (53100, 53200) needs an
 * operator; for callers it is unavailable.
 */
const troubles: Record<string, Trouble> = {
  '40001': 'rolled-back',
  '40P01': 'rolled-back',
  P2034: 'rolled-back',
  '08000': 'lost',
  '08003': 'lost',
  '08006': 'lost',
  '57P01': 'lost',
  '57P02': 'lost',
  '57P03': 'lost',
  ECONNREFUSED: 'lost',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  EHOSTUNREACH: 'lost',
  ENETUNREACH: 'lost',
  ENOTFOUND: 'lost',
  EAI_AGAIN: 'lost',
  P1001: 'lost',
  P1017: 'lost',
  '25P03': 'busy',
  '28000': 'busy',
  '28P01': 'busy',
  '3D000': 'busy',
  '53100': 'busy',
  '53200': 'busy',
  '53300': 'busy',
  '55000': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
  ETIMEDOUT: 'busy',
  P1008: 'busy',
  P2028: 'busy',
}

/** By message, for errors of pg that have no code. */
const troubleTexts: [RegExp, Trouble][] = [
  [/^timeout|connection timeout|read timeout|after calling end/, 'busy'],
  // pg throws the last one when the server answers SSLRequest with an error, for example because it cannot start a process.
  [/^Connection terminated|not queryable|error establishing an SSL connection/, 'lost'],
]

const details = (error: unknown) => {
  const { code, message, constraint, meta, cause } = error as DriverError
  const { originalCode, originalMessage, constraint: violated } = meta?.driverAdapterError?.cause ?? cause ?? {}
  return { code: originalCode ?? code, message: originalMessage ?? message, constraint: violated?.index ?? constraint }
}

/** A transaction, or a nested write, that cannot be committed because a statement in it failed, even if the work caught that error. */
export class FailedTransaction extends Error {
  constructor(cause?: unknown) {
    super('The transaction, or the nested write, had failed before its end.', { cause })
  }
}

/**
 * A write that PostgreSQL has refused with 25006 (read_only_sql_transaction) although its transaction may write: the server is a standby, or was made
 * read-only.
 */
export class ReadOnlyServer extends Error {
  constructor(cause: unknown) {
    super('The database server is read-only.', { cause })
  }
}

/** Whether `error` says that a transaction may not write. */
export const isReadOnly = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25006'

function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof FailedTransaction) return troubleOf(error.cause)
  if (error instanceof ReadOnlyServer) return 'busy'
  if (!types.isNativeError(error) || error instanceof AppError) return undefined
  const { code, message } = details(error)
  return code === undefined ? troubleTexts.find(([text]) => text.test(message))?.[1] : troubles[code]
}

/** Whether a unit of work that failed with `error` may be run again at once: it was rolled back, or its connection was lost before the commit. */
export function repeatable(error: unknown): boolean {
  const trouble = troubleOf(error)
  return trouble === 'rolled-back' || trouble === 'lost'
}

/** Whether `error` says that the connection is lost, or that none could be opened. */
export const isLost = (error: unknown): boolean => troubleOf(error) === 'lost'

/**
 * Whether `failure`, the error of a statement, is reported instead of `thrown`, the error of the work that sent it: always for a repeatable error, and
 * for a busy database unless the work threw an AppError.
 */
export const isTransient = (failure: unknown, thrown: unknown): boolean =>
  repeatable(failure) || (troubleOf(failure) !== undefined && !(thrown instanceof AppError))

/** Whether PostgreSQL has rejected a statement or a COMMIT with `error`, so that the outcome is known; false when the connection was lost. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ReadOnlyServer || (error instanceof pg.DatabaseError && troubleOf(error) !== 'lost')

/** Whether `error` says that the outcome of a COMMIT is unknown. */
export const isUncertain = (error: unknown): boolean => error instanceof AppError && error.kind === 'uncertain'

/** Whether the same statement may succeed later, because `error` is about the availability of the database and not about the statement. */
export const isUnavailable = (error: unknown): boolean => troubleOf(error) !== undefined

/** Returns a function that says whether an error, or one of its causes, has this SQLSTATE. */
const isCausedBy = (sqlState: string) => {
  const isCaused = (error: unknown): boolean => types.isNativeError(error) && (details(error).code === sqlState || isCaused(error.cause))
  return isCaused
}

/** Whether an error, or one of its causes, says that a statement took longer than `statement_timeout`. */
export const isTooSlow = isCausedBy('57014')

/** Whether an error, or one of its causes, says that PostgreSQL refused the password of the role. */
export const isPasswordRefused = isCausedBy('28P01')

/** Whether an error, or one of its causes, says that the connection has not prepared the statement. */
export const isNotPrepared = isCausedBy('26000')

/** The error that a caller of the database gets: AppError `unavailable` when the same call may succeed later, else `error` itself. */
export const translate = (error: unknown): unknown => (troubleOf(error) ? unavailable(error) : error)

/** The result of `answer`, whose rejection is translated (see `translate`). */
export async function translated<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw translate(error)
  }
}

const violations = ['23503', '23505', '23P01']

/**
 * The error to throw for `error`: `instead` when a row violates the unique, exclusion or foreign key constraint with that name, else `error` itself.
 * Exclusion and foreign key constraints are recognized in raw statements only. Use:
 * `catch (error) { throw onViolation(error, 'tags_customer_id_name_key', tagNameTaken()) }`.
 */
export const onViolation = (error: unknown, constraint: string, instead: AppError): unknown =>
  violates(error, constraint) ? instead : error

/** Whether `error` says that a row violates the unique, exclusion or foreign key constraint with that name (see `onViolation`). */
export function violates(error: unknown, constraint: string): boolean {
  if (!types.isNativeError(error)) return false
  const { code, constraint: violated } = details(error)
  return violations.includes(code ?? '') && violated === constraint
}
