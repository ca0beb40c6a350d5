import { createHash } from 'node:crypto'
import { type Audience, type Subject, subjectKey } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import { everyLimit, type Limits } from '@caseway/kit/limits'
import type { Counter } from '@caseway/kit/observability'

/** A password or a code that is tried, and from where. */
export interface Attempt {
  /** Whose: `signInName`, `presentPassword` or `presentSecondFactor`. */
  readonly account: string
  /** The networks that the request comes from, the smallest first; see `networksOf` of kit/http. */
  readonly networks: readonly string[]
  /** The person has signed in from here before: such attempts count for this account at these networks alone. */
  readonly known?: boolean
}

/** The account that a sign-in names. It need not exist. */
export const signInName = (audience: Audience, username: string) => `${audience} ${username.toLowerCase()}`

/** The account of a person who has signed in and gives the present password. Not reachable by any name. */
export const presentPassword = (subject: Subject) => `present ${subjectKey(subject)}`

/** The same, who gives a code. */
export const presentSecondFactor = (subject: Subject) => `second factor ${subjectKey(subject)}`

/**
 * What an attempt counts for. In this order: repeated tries from one address do not lock the account for all others. The names
 * of accounts are not kept, only their hashes.
 */
function keysOf({ account, networks, known = false }: Attempt) {
  const hash = createHash('sha256').update(account).digest('base64url')
  return { accountAtAddress: networks.map((network) => `${hash} ${network}`), account: known ? [] : [hash], address: networks }
}

/**
 * Counts failed sign-ins over all copies of the service.
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
    /** @throws AppError `limit` when there were too many */
    async check(attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt)
      const checks = [accountAtAddress.check(keys.accountAtAddress), account.check(keys.account), address.check(keys.address)]
      await everyLimit(checks).catch(refused)
    },

    /** @throws AppError `limit` when it is one too many: others at the same time have used up the tries */
    async note(attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt)
      const count = async () => {
        await accountAtAddress.count(keys.accountAtAddress)
        await account.count(keys.account)
        await address.count(keys.address)
      }
      await count().catch(refused)
    },

    /** After a success: this account is no more in question at these networks. */
    clear: (attempt: Attempt): Promise<void> => accountAtAddress.clear(keysOf(attempt).accountAtAddress),

    /** After another password: what was tried before it no longer counts for this account, here and from everywhere together. */
    async forget(attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt)
      await accountAtAddress.clear(keys.accountAtAddress)
      await account.clear(keys.account)
    },
  }
}

export type LoginFailures = ReturnType<typeof loginFailures>
