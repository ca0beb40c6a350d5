import { subjectKey, subjectOf } from '@caseway/kit/caller'
import { type Logger, requestContext } from '@caseway/kit/observability'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { fairQueue } from './fair-queue.client.js'
import { oneForm } from './password.field.js'
import type { PasswordHasher, Turn } from './password-hasher.js'

const argon2id: Algorithm.Argon2id = 2
const settings = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The maximum wait in milliseconds; longer than any request lasts. */
const longestMs = 60_000

/** The place of the running request in the queue: it waits until the deadline of the request. Without a request, that of the installation. */
function turnOfRequest(): Turn {
  const { caller, deadline = Number.POSITIVE_INFINITY } = requestContext.get() ?? {}
  const remainingMs = Math.max(0, Math.min(deadline - Date.now(), longestMs))
  return { of: caller ? subjectKey(subjectOf(caller)) : 'installation', signal: AbortSignal.timeout(remainingMs) }
}

interface Options {
  /** The number of passwords that are hashed at the same time. */
  readonly concurrency: number
  /** The maximum number of passwords that wait. */
  readonly maxWaiting: number
  readonly log: Pick<Logger, 'error'>
}

/**
 * argon2id with 19 MiB and two passes (OWASP, Password Storage). It runs in the thread pool, `concurrency` at a time: more would use memory and gain
 * nothing.
 */
export async function argon2PasswordHasher({ log, ...options }: Options): Promise<PasswordHasher> {
  const inTurn = fairQueue(options)
  const placeholder = await hash('placeholder', settings)
  const unreadable = (err: unknown) => void log.error({ err }, 'a stored password hash cannot be read: every password is refused')
  return {
    inTurn,
    hash: (password) => inTurn(turnOfRequest(), () => hash(oneForm(password), settings)),
    async matches(stored, password) {
      const right = stored === null ? undefined : await verify(stored, oneForm(password)).catch(unreadable)
      if (right === undefined) await verify(placeholder, oneForm(password))
      return right ?? false
    },
  }
}
