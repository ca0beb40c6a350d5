import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'

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

/** Response codes of temporary errors (RFC 5530, 3), and imapflow's code for too many requests. */
const temporary = ['UNAVAILABLE', 'INUSE', 'SERVERBUG', 'ETHROTTLE']

/** Whether the server has refused a command for good, and the connection can be used further. */
function isRefusal(error: unknown): boolean {
  const { responseStatus = '', serverResponseCode = '', code = '' } = error as Partial<Record<string, string>>
  return ['NO', 'BAD'].includes(responseStatus) && !temporary.includes(serverResponseCode) && !temporary.includes(code)
}

/** Resolves to null where the server refuses. */
export const unlessRefused = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    return null
  })
