import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomAddress } from '../support/auth.js'
import { linkOf, type MailedAuth, startMailedAuth } from '../support/mail-server.js'
import { signInTries, wrong } from '../support/sign-in-tries.js'

let auth: MailedAuth
beforeAll(async () => {
  auth = await startMailedAuth()
})
afterAll(() => auth.stop())

const { tries, fails } = signInTries(() => auth)

/** An address with its domain in Unicode, as mailparser shows it, and in the other spellings that are the same address. */
function newAddress() {
  const local = randomUUID()
  const ascii = `${local}@xn--mller-kva.test`
  return {
    unicode: `${local}@müller.test`,
    ascii,
    others: [ascii, `${local}@MÜLLER.test`, `${local}@mu\u0308ller.test`, ascii.toUpperCase()],
  }
}

const password = 'a password with ü'
const names = { firstname: 'Anna', lastname: 'Müller' }

describe('an address with an internationalised domain', () => {
  it('is shown in ASCII, signs in however it is spelled, and is taken in each spelling', async () => {
    const { administrator } = await auth.office()
    const http = await auth.asExpert(administrator)
    const { unicode, ascii, others } = newAddress()
    const create = (email: string) => http.post<{ id: number }>('/user', { User: { email, ...names, password } })
    const { id } = (await create(unicode)).body
    expect((await http.get(`/user/${id}`)).body).toMatchObject({ User: { email: ascii } })
    for (const username of [unicode, ...others]) expect((await auth.signIn({ username, password })).user_id).toBe(String(id))
    const taken = { status: 'error', errorMessages: { email: 'is already used' } }
    for (const email of [unicode, ...others]) expect((await create(email)).body).toEqual(taken)
  })

  it('counts failed sign-ins of all spellings together', async () => {
    const { unicode, ascii, others } = newAddress()
    const from = randomAddress()
    const login = (username: string) => ({ username, password })
    for (const username of [unicode, ...others]) expect(await fails(2, login(username), from)).toEqual(wrong(2))
    for (const username of [unicode, ascii]) expect((await tries(login(username), from)).status).toBe(429)
  })

  it('is that of one client, invited by an office in one spelling and found in another', async () => {
    const { administrator } = await auth.office()
    const http = await auth.asExpert(administrator)
    const { unicode, ascii } = newAddress()
    const { body } = await http.post<{ id: number }>('/client', { Client: { email: unicode, ...names } })
    const { token } = linkOf((await auth.mailsTo(unicode))[0])
    await auth.http('client').post(`/invitation/${token}`, { password })
    expect((await auth.signIn({ username: unicode, password }, 'client')).user_id).toBe(String(body.id))
    const found = await http.get<object[]>(`/client?email=${encodeURIComponent(unicode)}`)
    expect(found.body).toEqual([{ Client: expect.objectContaining({ id: String(body.id), email: ascii }) }])
  })

  it('gets the link for a lost password, however it is spelled', async () => {
    const { administrator } = await auth.office()
    const { unicode, ascii } = newAddress()
    await (await auth.asExpert(administrator)).post('/user', { User: { email: ascii, ...names, password } })
    await auth.http('expert').post('/password_reset', { email: unicode })
    expect(linkOf((await auth.mailsTo(unicode))[0]).topic).toBe('password_reset')
  })
})
