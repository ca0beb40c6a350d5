import { types } from 'node:util'
import pg from 'pg'
import { AppError, unavailable } from '../errors/index.js'

export { outcomeUnknown } from '../errors/index.js'

/** What Prisma's adapter keeps of an error of pg. Of an exclusion constraint it does not keep the name. */
interface AdapterCause {
  readonly originalCode?: string
  readonly originalMessage?: string
  readonly constraint?: { readonly index?: string }
}

/** What the errors of pg, of Node's sockets, of Prisma and of its adapter have in common here. */
interface DriverError {
  readonly code?: string
  readonly message: string
  readonly constraint?: string
  readonly cause?: AdapterCause
  readonly meta?: { driverAdapterError?: { cause?: AdapterCause } }
}

/** `rolled-back` and `lost` may be repeated, `busy` would only take longer. */
type Trouble = 'rolled-back' | 'lost' | 'busy'

/**
 * SQLSTATE (PostgreSQL, appendix A), codes of sockets, and codes that Prisma gives where it hides both. A database that refuses the password (28P01)
 * or has no room (53100, 53200) waits for an operator: its callers are told as of one that is away.
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
  ENOTFOUND: 'lost',
  P1001: 'lost',
  P1017: 'lost',
  '25P03': 'busy',
  '28P01': 'busy',
  '53100': 'busy',
  '53200': 'busy',
  '53300': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
  ETIMEDOUT: 'busy',
  P1008: 'busy',
  P2028: 'busy',
}

/** Errors of pg that carry no code. */
const troubleTexts: [RegExp, Trouble][] = [
  [/^timeout|connection timeout|read timeout|after calling end/, 'busy'],
  // The last is what pg makes of an error that the server sends in answer to SSLRequest, for example when it cannot start a process.
  [/^Connection terminated|not queryable|error establishing an SSL connection/, 'lost'],
]

const details = (error: unknown) => {
  const { code, message, constraint, meta, cause } = error as DriverError
  const { originalCode, originalMessage, constraint: kept } = meta?.driverAdapterError?.cause ?? cause ?? {}
  return { code: originalCode ?? code, message: originalMessage ?? message, constraint: kept?.index ?? constraint }
}

/** A transaction, or a nested write, that cannot be committed because a statement in it failed, even if the work caught that error. */
export class FailedTransaction extends Error {
  constructor(cause?: unknown) {
    super('The transaction, or the nested write, had failed before its end.', { cause })
  }
}

function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof FailedTransaction) return troubleOf(error.cause)
  if (!types.isNativeError(error) || error instanceof AppError) return undefined
  const { code, message } = details(error)
  return code === undefined ? troubleTexts.find(([text]) => text.test(message))?.[1] : troubles[code]
}

/** Whether the same unit of work may be run again. */
export function repeatable(error: unknown): boolean {
  const trouble = troubleOf(error)
  return trouble === 'rolled-back' || trouble === 'lost'
}

/** Whether `error` says that the connection is lost, or that none could be opened. */
export const isLost = (error: unknown): boolean => troubleOf(error) === 'lost'

/**
 * Whether `failure` of a statement is to be reported instead of `thrown`, the error that the work made of it: always for a deadlock or a lost connection,
 * and for a busy database unless the work threw an AppError of its own.
 */
export const isTransient = (failure: unknown, thrown: unknown): boolean =>
  repeatable(failure) || (troubleOf(failure) !== undefined && !(thrown instanceof AppError))

/** Whether `error` is PostgreSQL's answer to a COMMIT that it has not carried out, not the end of the connection. */
export const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && troubleOf(error) !== 'lost'

/** Whether `error` says that the outcome of a COMMIT is unknown. */
export const isUncertain = (error: unknown): boolean => error instanceof AppError && error.kind === 'uncertain'

/** Whether `error` says that the database, or a connection to it, may answer the same later. */
export const isUnavailable = (error: unknown): boolean => troubleOf(error) !== undefined

/** Whether `error`, or one of its causes, says that a statement took longer than `statement_timeout`. */
export const isTooSlow = (error: unknown): boolean =>
  types.isNativeError(error) && (details(error).code === '57014' || isTooSlow(error.cause))

/** What a caller of the database sees of an error: `unavailable` when the same call may succeed later. */
export const translate = (error: unknown): unknown => (troubleOf(error) ? unavailable(error) : error)

export async function translated<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw translate(error)
  }
}

const violations = ['23503', '23505', '23P01']

/**
 * What to throw for `error`: `instead` when the unique, exclusion or foreign key constraint of that name refused a row, else the error
 * itself. The names of the latter two are known for raw statements only. Use:
 * `catch (error) { throw onViolation(error, 'tags_customer_id_name_key', tagNameTaken()) }`.
 */
export const onViolation = (error: unknown, constraint: string, instead: AppError): unknown =>
  violates(error, constraint) ? instead : error

/** Whether `error` is that the unique, exclusion or foreign key constraint of that name refused a row. */
export function violates(error: unknown, constraint: string): boolean {
  if (!types.isNativeError(error)) return false
  const { code, constraint: violated } = details(error)
  return violations.includes(code ?? '') && violated === constraint
}
