import { getStatusCode } from 'imapflow/lib/tools.js'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import { temporaryCodes } from '../../mail-connections/temporary-codes.js'

/** Reports every failure of `work` as a MailConnectionError. Error texts of the server are dropped: they may repeat what was sent to it. */
export const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MailConnectionError ? error : new MailConnectionError('protocol')
  }
}

/** Unwraps an answer of imapflow, which is false or undefined where the server refuses. */
export const granted = <T>(answer: T | false | undefined): T => {
  if (answer === false || answer === undefined) throw new MailConnectionError('protocol')
  return answer
}

/** imapflow's code for too many requests. */
const throttled = 'ETHROTTLE'

interface CommandError {
  readonly responseStatus?: string
  readonly code?: string
  /** For some commands imapflow replaces it by its text, and sets `serverResponseCode`. */
  readonly response?: Parameters<typeof getStatusCode>[0]
  readonly serverResponseCode?: string
}

/** Whether the server has answered a command with NO or BAD, and the connection can be used further. */
const isAnswered = ({ responseStatus = '', code }: CommandError) => ['NO', 'BAD'].includes(responseStatus) && code !== throttled

/** Whether the server has refused a command for good. */
export function isRefusal(error: unknown): boolean {
  const { serverResponseCode, response } = error as CommandError
  return isAnswered(error as CommandError) && !temporaryCodes.has(serverResponseCode ?? (getStatusCode(response) || ''))
}

const unless =
  (isExpected: (error: CommandError) => boolean) =>
  <T>(answer: Promise<T>): Promise<T | null> =>
    answer.catch((error: unknown) => {
      if (!isExpected(error as CommandError)) throw error
      return null
    })

/** Resolves to null where the server refuses for good. */
export const unlessRefused = unless(isRefusal)

/** Resolves to null where the server refuses, for good or for now. */
export const unlessAnsweredNo = unless(isAnswered)
