import { randomInt } from 'node:crypto'
import { type Held, holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, randomAddress, startAuthService } from '../support/auth.js'
import { nobody, signInTries, wrong } from '../support/sign-in-tries.js'

let auth: Auth
const { tries, fails, failed, forget } = signInTries(() => auth)
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

/** Blocks counting and checking until the transaction ends. */
const lockCounts = () => holdTransaction(auth.database, 'LOCK TABLE kit.rate_limit')
/** Lets the statements through that wait for `lock`, and no later ones. */
async function pass(lock: Held, waiting: number): Promise<Held> {
  await untilWaiting(auth.database, waiting)
  const next = lockCounts()
  await untilWaiting(auth.database, waiting + 1)
  await lock.rollback()
  return next
}

describe('after ten failures of an account from one address', () => {
  it('the eleventh attempt is 429 with Retry-After, also with the right password', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    expect(await fails(10, expert, from)).toEqual(wrong(10))
    const before = await auth.figure('login_limits_total')
    const { status, headers, body } = await tries(expert, from)
    expect(await auth.figure('login_limits_total')).toBe(before + 1)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      ...{ status: 'error', error: 'temporarily_unavailable', errorCode: expect.any(String) },
      ...{ error_description: expect.any(String), errorMessages: body.error_description },
    })
  })

  it('the same holds for an account that does not exist', async () => {
    const [login, from] = [nobody(), randomAddress()]
    expect(await fails(11, login, from)).toEqual([...wrong(10), 429])
  })

  it('it can still be tried from another address, and other accounts from this one', async () => {
    const { expert, trainee } = await auth.office()
    const from = randomAddress()
    await fails(10, expert, from)
    expect((await tries(expert, randomAddress())).status).toBe(200)
    expect((await tries(trainee, from)).status).toBe(200)
    expect((await tries(expert, from)).status).toBe(429)
  })

  it('the address is the last one of X-Forwarded-For, whatever a caller writes before it', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push(...(await fails(1, expert, `${randomAddress()}, ${from}`)))
    expect(statuses).toEqual(wrong(10))
    expect((await tries(expert, `${randomAddress()}, ${from}`)).status).toBe(429)
    expect((await tries(expert, `${from}, ${randomAddress()}`)).status).toBe(200)
  })

  it('a different case of the user name is the same account, but the same name on the other address is another one', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    await fails(10, expert, from)
    expect((await tries({ ...expert, username: expert.username.toUpperCase() }, from)).status).toBe(429)
    expect((await tries(expert, from, 'client')).status).toBe(400)
  })

  it('a spelling that would be counted separately does not sign in', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    await fails(10, expert, from)
    expect((await tries({ ...expert, username: expert.username.replace('@offi', '@offİ') }, from)).status).toBe(400)
  })

  it('it can be tried again fifteen minutes later', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    await fails(10, expert, from)
    expect((await tries(expert, from)).status).toBe(429)
    await auth.database.rows(
      `UPDATE kit.rate_limit SET expire = expire - 15 * 60 * 1000 WHERE key LIKE 'login-account-at-address:% ' || $1`,
      [from],
    )
    expect((await tries(expert, from)).status).toBe(200)
  })

  it('of concurrent attempts no more than ten count either', async () => {
    const [login, from] = [nobody(), randomAddress()]
    const answers = await Promise.all(Array.from({ length: 30 }, () => tries(login, from)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  it('the right password among concurrent attempts is refused once they are used up', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    const guesses = Array.from({ length: 20 }, () => tries({ ...expert, password: 'a wrong password' }, from))
    const statuses = (await Promise.all([...guesses, tries(expert, from)])).map(({ status }) => status)
    expect(statuses.at(-1)).toBe(429)
  })

  it('the right password is refused if the last attempt failed while it was compared', async () => {
    const { expert } = await auth.office()
    const from = randomAddress()
    await fails(1, expert, from)
    const before = await lockCounts()
    const right = tries(expert, from)
    const counted = await pass(before, 1)
    // Two of its counts are read concurrently, each by one connection.
    const compared = await pass(counted, 2)
    await compared.query('UPDATE kit.rate_limit SET points = 10 WHERE key LIKE $1', [`login-account-at-address:% ${from}`])
    await compared.commit()
    expect((await right).status).toBe(429)
  })
})

it('an attempt for an inactive account counts as one with a wrong password', async () => {
  const { administrator, expert } = await auth.office()
  const from = randomAddress()
  const answer = await (await auth.asExpert(administrator)).put(`/user/${expert.id}`, { User: { active: 0 } })
  expect(answer.status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await tries(expert, from)).status).toBe(400)
  expect((await tries(expert, from)).status).toBe(429)
})

it('a success clears the failures of the account at this address', async () => {
  const { expert } = await auth.office()
  const from = randomAddress()
  expect(await fails(9, expert, from)).toEqual(wrong(9))
  expect((await tries(expert, from)).status).toBe(200)
  expect(await fails(10, expert, from)).toEqual(wrong(10))
  expect((await tries(expert, from)).status).toBe(429)
})

it('a hundred failures block an account, whatever addresses they come from', async () => {
  const { expert } = await auth.office()
  await forget()
  await fails(1, expert, randomAddress())
  await failed('account', 98)
  expect(await fails(1, expert, randomAddress())).toEqual([400])
  expect((await tries(expert, randomAddress())).status).toBe(200)
  expect(await fails(1, expert, randomAddress())).toEqual([400])
  expect((await tries(expert, randomAddress())).status).toBe(429)
})

it('a hundred failures block an address, whatever accounts they are for', async () => {
  const { expert } = await auth.office()
  const from = randomAddress()
  await fails(1, nobody(), from)
  await failed('address', 99, from)
  expect((await tries(expert, from)).status).toBe(200)
  expect(await fails(1, nobody(), from)).toEqual([400])
  expect((await tries(expert, from)).status).toBe(429)
  expect((await tries(expert, randomAddress())).status).toBe(200)
})

it('repeated attempts from one address do not block the account at others', async () => {
  const { expert } = await auth.office()
  await forget()
  const from = randomAddress()
  await Promise.all(Array.from({ length: 40 }, () => tries({ ...expert, password: 'a wrong password' }, from)))
  expect(await auth.database.rows(`SELECT points FROM kit.rate_limit WHERE key LIKE 'login-account:%'`)).toEqual([{ points: 10 }])
})

it('ten failures from one IPv6 site block the account there, whatever networks of the site they come from', async () => {
  const { expert } = await auth.office()
  const site = `2001:db8:${randomInt(65536).toString(16)}`
  const networks = Array.from({ length: 11 }, (_, index) => `${site}:${index.toString(16)}::1`)
  for (const network of networks.slice(0, 10)) expect(await fails(1, expert, network)).toEqual([400])
  expect((await tries(expert, networks[10] as string)).status).toBe(429)
  expect((await tries(expert, randomAddress())).status).toBe(200)
})

it('attempts for the user name “user 7” do not count for employee 7', async () => {
  const { trainee } = await auth.office()
  for (const username of [`user ${trainee.id}`, `employee:${trainee.id}`, `present employee:${trainee.id}`]) {
    await forget()
    await fails(1, { username, password: 'x' }, randomAddress())
    await failed('account', 100)
  }
  const http = await auth.asExpert(trainee)
  const sent = { User: { password: 'another password', current_password: trainee.password } }
  expect((await http.put('/user/me', sent)).status).toBe(200)
})

it('the limits store hashes of user names only', async () => {
  const [login, from] = [nobody(), randomAddress()]
  await fails(1, login, from)
  const rows = await auth.database.rows<{ key: string }>('SELECT key FROM kit.rate_limit')
  expect(rows.filter(({ key }) => key.startsWith('login-') && key.includes(from))).toHaveLength(2)
  expect(rows.filter(({ key }) => key.includes(login.username) || key.includes(login.password))).toEqual([])
})

it('sign-ins get 503 with Retry-After while failures cannot be counted', async () => {
  const { expert } = await auth.office()
  const lock = await lockCounts()
  const answer = tries(expert, randomAddress())
  const counted = await pass(lock, 1)
  const { status, headers, body } = await answer
  await counted.rollback()
  expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', { error: 'temporarily_unavailable' }])
  expect((await tries(expert, randomAddress())).status).toBe(200)
})
