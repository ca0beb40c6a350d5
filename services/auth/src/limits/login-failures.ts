import { createHash } from 'node:crypto'
import { type Audience, type Subject, subjectKey } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import { everyLimit, type Limits } from '@caseway/kit/limits'
import type { Counter } from '@caseway/kit/observability'

/** An attempt with a password or a code, and its origin. */
export interface Attempt {
  /** The key of the account, made by `signInName`, `presentPassword` or `presentSecondFactor`. */
  readonly account: string
  /** The networks that the request comes from, the smallest first; see `networksOf` of kit/http. */
  readonly networks: readonly string[]
  /**
   * Whether the person has signed in from here before. Such an attempt does not count towards the limit of the account as a whole, so that others cannot
   * lock them out here.
   */
  readonly known?: boolean
}

/** The key of the account that a sign-in names, which need not exist. */
export const signInName = (audience: Audience, username: string) => `${audience} ${username.toLowerCase()}`

/** The key of a signed-in person who enters their current password. No user name equals it. */
export const presentPassword = (subject: Subject) => `present ${subjectKey(subject)}`

/** The key of a signed-in person who enters a code. */
export const presentSecondFactor = (subject: Subject) => `second factor ${subjectKey(subject)}`

/**
 * The keys that an attempt counts for, as hashes. They are checked from the narrowest to the widest, so that repeated attempts from one address do not
 * lock the account for everybody.
 */
function keysOf({ account, networks, known = false }: Attempt) {
  const hash = createHash('sha256').update(account).digest('base64url')
  return { accountAtAddress: networks.map((network) => `${hash} ${network}`), account: known ? [] : [hash], address: networks }
}

/**
 * Counts failed attempts over all copies of the service.
 * @param refusals counts the attempts that are refused
 */
export function loginFailures(limit: Limits['limit'], refusals: Pick<Counter, 'inc'>) {
  const seconds = 15 * 60
  const accountAtAddress = limit({ name: 'login-account-at-address', points: 10, seconds })
  const account = limit({ name: 'login-account', points: 100, seconds })
  const address = limit({ name: 'login-address', points: 100, seconds })

  const refused = (error: unknown) => {
    if (error instanceof AppError && error.kind === 'limit') refusals.inc()
    throw error
  }

  return {
    /** To be called before an attempt. @throws AppError `limit` after too many failures */
    async check(attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt)
      const checks = [accountAtAddress.check(keys.accountAtAddress), account.check(keys.account), address.check(keys.address)]
      await everyLimit(checks).catch(refused)
    },

    /** Counts a failure. @throws AppError `limit` when concurrent attempts have used up the limit */
    async note(attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt)
      const count = async () => {
        await accountAtAddress.count(keys.accountAtAddress)
        await account.count(keys.account)
        await address.count(keys.address)
      }
      await count().catch(refused)
    },

    /** After a success: resets the failures of this account at these networks. */
    clear: (attempt: Attempt): Promise<void> => accountAtAddress.clear(keysOf(attempt).accountAtAddress),

    /** After a change of the password: resets the failures of this account, at these networks and as a whole. */
    async forget(attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt)
      await accountAtAddress.clear(keys.accountAtAddress)
      await account.clear(keys.account)
    },
  }
}

export type LoginFailures = ReturnType<typeof loginFailures>
