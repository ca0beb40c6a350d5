import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomAddress } from '../support/auth.js'
import { linkOf, type MailedAuth, startMailedAuth } from '../support/mail-server.js'
import { signInTries, wrong } from '../support/sign-in-tries.js'

let auth: MailedAuth
const { tries, fails } = signInTries(() => auth)
beforeAll(async () => {
  auth = await startMailedAuth()
})
afterAll(() => auth.stop())

describe.each(['expert', 'client'] as const)('a reset of the password, on the address of %ss', (address) => {
  it('clears the failed sign-ins, at the address where it was set and elsewhere', async () => {
    const office = await auth.office()
    const person = address === 'expert' ? office.trainee : await auth.client(office)
    const from = randomAddress()
    const set = (token: string, password: string) =>
      auth.http(address).post(`/password_reset/${token}`, { password }, { 'x-forwarded-for': from })
    expect(await fails(10, person, from, address)).toEqual(wrong(10))
    const key = createHash('sha256').update(`${address} ${person.username}`).digest('base64url')
    await auth.database.rows('UPDATE kit.rate_limit SET points = 100 WHERE key = $1', [`login-account:${key}`])
    for (const at of [from, randomAddress()]) expect((await tries(person, at, address)).status).toBe(429)

    await auth.http(address).post('/password_reset', { email: person.username }, { 'x-forwarded-for': from })
    const { token } = linkOf((await auth.mailsTo(person.username))[0])
    const password = randomUUID()
    expect((await set('of nobody', password)).status).toBe(400)
    expect((await tries(person, from, address)).status).toBe(429)
    expect((await set(token, password)).status).toBe(200)
    for (const at of [from, randomAddress()]) expect((await tries({ ...person, password }, at, address)).status).toBe(200)
  })
})
