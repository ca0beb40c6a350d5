import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, randomAddress, startAuthService } from '../support/auth.js'
import { signInTries, wrong } from '../support/sign-in-tries.js'

let auth: Auth
const { tries, fails, failed, forget } = signInTries(() => auth)
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

describe('an address from which a person has signed in within thirty days', () => {
  it('has a limit of its own, so that others cannot lock the account there', async () => {
    const { expert } = await auth.office()
    const known = randomAddress()
    expect((await tries(expert, known)).status).toBe(200)
    await forget()
    await fails(1, expert, randomAddress())
    await failed('account', 100)
    expect((await tries(expert, randomAddress())).status).toBe(429)
    expect((await tries(expert, known)).status).toBe(200)
  })

  it('is remembered for thirty days, and for that person only', async () => {
    const { expert, trainee } = await auth.office()
    const known = randomAddress()
    expect((await tries(expert, known)).status).toBe(200)
    await forget()
    await fails(1, trainee, randomAddress())
    await failed('account', 100)
    expect((await tries(trainee, known)).status).toBe(429)
    await forget()
    await fails(1, expert, randomAddress())
    await failed('account', 100)
    await auth.database.rows(`UPDATE known_addresses SET seen = now() - interval '31 days'`)
    expect((await tries(expert, known)).status).toBe(429)
  })

  it('has ten attempts, which do not count towards the limit of the account', async () => {
    const { expert } = await auth.office()
    const known = randomAddress()
    expect((await tries(expert, known)).status).toBe(200)
    await forget()
    expect(await fails(11, expert, known)).toEqual([...wrong(10), 429])
    expect(await auth.database.rows(`SELECT FROM kit.rate_limit WHERE key LIKE 'login-account:%'`)).toEqual([])
  })

  it('is stored as a keyed hash', async () => {
    const { expert } = await auth.office()
    const known = randomAddress()
    expect((await tries(expert, known)).status).toBe(200)
    const rows = await auth.database.rows<{ row: string }>('SELECT t::text AS row FROM known_addresses t')
    const plain = [known, createHash('sha256').update(`employee:${expert.id} ${known}`).digest('hex')]
    expect(rows.filter(({ row }) => plain.some((text) => row.includes(text)))).toEqual([])
  })
})
