import { randomUUID } from 'node:crypto'
import type { Auth, Login } from './auth.js'

/** A login that does not exist. */
export const nobody = (): Login => ({ username: `${randomUUID()}@office.test`, password: 'a wrong password' })

/** The statuses of this number of failed attempts. */
export const wrong = (times: number) => Array.from({ length: times }, () => 400)

export const signInTries = (auth: () => Auth) => {
  const tries = (login: Login, from: string, address: 'expert' | 'client' = 'expert') =>
    auth().signsIn<Record<string, string>>(login, address, { 'x-forwarded-for': from })
  return {
    tries,
    async fails(times: number, login: Login, from: string, address: 'expert' | 'client' = 'expert'): Promise<number[]> {
      const statuses: number[] = []
      for (let i = 0; i < times; i++) statuses.push((await tries({ ...login, password: 'a wrong password' }, from, address)).status)
      return statuses
    },
    /** Sets the failures of each existing key of a limit. */
    failed: (limit: 'account' | 'address', times: number, key = '%') =>
      auth().database.rows('UPDATE kit.rate_limit SET points = $1 WHERE key LIKE $2', [times, `login-${limit}:${key}`]),
    /** Deletes the failures of all accounts. */
    forget: () => auth().database.rows("DELETE FROM kit.rate_limit WHERE key LIKE 'login-account:%'"),
  }
}
