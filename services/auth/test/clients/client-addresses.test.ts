import { randomUUID } from 'node:crypto'
import { linkTopic } from '@caseway/protos/topics'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ClientDataPlatform, someone, startClientData } from '../support/client-data.js'
import { linkOf } from '../support/mail-server.js'

let data: ClientDataPlatform
let auth: ClientDataPlatform['auth']
beforeAll(async () => {
  data = await startClientData()
  auth = data.auth
})
afterAll(() => data.stop())

const refusedWith = (code: status, details: unknown = expect.anything()) => expect.objectContaining({ code, details })
const takenByClient = refusedWith(status.PERMISSION_DENIED, 'The e-mail address belongs to another client.')
const takenByUser = refusedWith(status.PERMISSION_DENIED, 'The e-mail address belongs to an employee.')
const reserved = refusedWith(status.FAILED_PRECONDITION, 'Another change has reserved the e-mail address.')

describe('an address', () => {
  it('that is taken is refused, ignoring case', async () => {
    const [client, another] = [await data.known(), await data.known()]
    const upper = (email: string) => email.toUpperCase()
    for (const email of [another.username, upper(another.username)])
      await expect(data.reserve(client.external, { email })).rejects.toEqual(takenByClient)
    for (const { username } of [another.office.expert, another.office.trainee])
      await expect(data.reserve(client.external, { email: upper(username) })).rejects.toEqual(takenByUser)
  })

  it('may change only in case', async () => {
    const client = await data.known()
    await data.change(client.external, { email: client.username.toUpperCase() })
    expect(await data.accountOf(client)).toMatchObject({ email: client.username.toUpperCase() })
  })

  it('is reserved by only one of two concurrent changes', async () => {
    const [first, second] = [await data.known(), await data.known()]
    const [email, ids] = [someone(), [randomUUID(), randomUUID()] as const]
    const held = await holdTransaction(auth.database, 'SELECT lock_address($1)', [email])
    const both = Promise.allSettled([data.reserve(first.external, { email }, ids[0]), data.reserve(second.external, { email }, ids[1])])
    await untilWaiting(auth.database, 2)
    await held.commit()
    const outcomes = await both
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
    const loser = outcomes.findIndex((outcome) => outcome.status === 'rejected')
    expect(outcomes[loser]).toMatchObject({ reason: reserved })
    await data.apply(ids[1 - loser] ?? '', { email })
    await expect(data.reserve([first, second][loser]?.external ?? '', { email })).rejects.toEqual(takenByClient)
  })
})

describe('an address that changes before an invitation is accepted', () => {
  it('is shown to the offices that the client is attached to, but not to one that invited the old address', async () => {
    const client = await data.known()
    const other = await auth.office()
    const http = await auth.asExpert(other.administrator)
    const { username: invited } = client
    await http.post('/client', { Client: { email: invited, firstname: 'Ada', lastname: 'Nowak' } })
    const email = someone()
    await data.change(client.external, { email })
    const shown = async () => {
      const answers = [await http.get(`/client/${client.id}`), await http.get('/client'), await http.get('/customer_user_link/client')]
      return answers.map(({ text }) => [text.includes(invited), text.includes(email)])
    }
    const addressesIn = async ({ customerId } = other) =>
      (await auth.published(linkTopic))
        .map(({ event }) => event)
        .filter((event) => event.clientId === client.id && event.customerId === customerId)
        .map((event) => event.email)
    expect(await shown()).toEqual(Array(3).fill([true, false]))
    expect([await addressesIn(), (await addressesIn(client.office)).at(-1)]).toEqual([[invited], email])
    await http.put(`/client/${client.id}`, { Client: { phone: '1' } })
    expect(await addressesIn()).toEqual([invited, invited])

    await auth.database.rows("UPDATE client_links SET state = 'active' WHERE user_client_id = $1", [client.id])
    expect(await shown()).toEqual(Array(3).fill([false, true]))
  })
})

describe('while an address is reserved', () => {
  const changing = [400, { status: 'error', errorMessages: { email: 'is being changed at this moment: try again' } }]

  it('nobody else can take it', async () => {
    const client = await data.known()
    const email = someone()
    const id = randomUUID()
    await data.reserve(client.external, { email }, id)
    const http = await auth.asExpert(client.office.administrator)
    const names = { firstname: 'A', lastname: 'B', email: email.toUpperCase() }
    const seen = async (path: string, body: object) => {
      const { status, body: answer } = await http.post(path, body)
      return [status, answer]
    }
    expect(await seen('/user', { User: names })).toEqual(changing)
    expect(await seen('/client', { Client: names })).toEqual(changing)
    const { status, body } = await http.put(`/user/${client.office.trainee.id}`, { User: { email } })
    expect([status, body]).toEqual(changing)
    await data.release(id)
    expect((await http.post('/client', { Client: names })).status).toBe(201)
  })

  it('the person cannot confirm another one', async () => {
    const client = await data.known()
    const [wanted, own, id] = [someone(), someone(), randomUUID()]
    const http = await auth.asClient(client)
    await http.put('/client/me', { Client: { email: own, current_password: client.password } })
    const { token } = linkOf((await auth.mailsTo(own))[0])
    await data.reserve(client.external, { email: wanted }, id)
    const confirm = () => auth.http('client').post(`/email_confirmation/${token}`)
    const { status, body } = await confirm()
    expect([status, body]).toEqual(changing)
    await data.release(id)
    expect((await confirm()).status).toBe(200)
    expect(await data.accountOf(client)).toMatchObject({ email: own })
  })

  it('the change waits for a concurrent confirmation of the person', async () => {
    const client = await data.known()
    const own = someone()
    const held = await holdTransaction(auth.database, 'UPDATE clients SET email = $2 WHERE id = $1', [client.id, own])
    const reserved = data.reserve(client.external, { email: someone() })
    await untilWaiting(auth.database, 1)
    await held.commit()
    expect((await reserved).data).toMatchObject({ email: own })
  })
})
