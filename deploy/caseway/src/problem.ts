import type { Id } from '@caseway/kit/caller'
import { ConfigError } from '@caseway/kit/config'
import { isPasswordRefused, isTooSlow } from '@caseway/kit/database'
import { AppError } from '@caseway/kit/errors'

export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Why a command failed: one helpful sentence, which is all that the user sees. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.failed,
  ) {
    super(message)
  }
}

/** The result of `asking`. @throws Problem with `message` if `asking` rejects with `not-found` */
export async function orProblem<T>(asking: Promise<T>, message: string): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') throw new Problem(message)
    throw error
  }
}

export const noOffice = (id: Id) => `There is no office ${id}.`

const tooSlow =
  'A statement exceeded its timeout: repeat the command with a larger <SERVICE>_POOL_STATEMENT_TIMEOUT_MS (in milliseconds, 5000 by default).'

const passwordRefused =
  'A database refused the password in <SERVICE>_DATABASE_URL: it may have been changed since the command line got its variables.'

/** The sentence that the user reads for `error`. */
export function sentence(error: unknown): string {
  if (error instanceof Problem) return error.message
  if (error instanceof ConfigError) return error.problems.join(' ')
  if (isTooSlow(error)) return tooSlow
  if (isPasswordRefused(error)) return passwordRefused
  if (error instanceof AppError) return ofService(error)
  const refused = ofFileSystem(error as NodeJS.ErrnoException)
  if (refused) return refused
  // Prisma's messages begin with the call site and end with the reason.
  const reason = String((error as Error).message)
    .trim()
    .split('\n')
    .at(-1)
  return `The command failed: ${reason}`
}

/** Reasons why a file or a folder cannot be used, all of which the user can correct. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOSPC: 'the disk is full',
}

function ofFileSystem({ code = '', path }: NodeJS.ErrnoException): string | undefined {
  const why = refusals[code]
  return why && `The command failed${path ? ` at ${path}` : ''}: ${why}.`
}

function ofService({ kind, fields, message }: AppError): string {
  if (kind === 'unavailable')
    return 'A database, service or storage that the command needs does not answer, or is full: is the platform running?'
  const wrong = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text}`)
  return wrong.length > 0 ? `The ${wrong.join(', the ')}.` : message
}
