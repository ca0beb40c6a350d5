import { randomUUID } from 'node:crypto'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { clientTopic, customerTopic, linkTopic, sessionTopic, userTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Office, startAuthService } from './support/auth.js'

let auth: Auth
let office: Office
let http: HttpClient
beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office('Asia/Tokyo')
  http = await auth.asExpert(office.administrator)
})
afterAll(() => auth.stop())

const topics = [customerTopic, userTopic, clientTopic, linkTopic, sessionTopic]
/** The events that were published while `work` ran. */
async function publishedBy(work: () => Promise<unknown>): Promise<{ topic: string; event: object; key: string }[]> {
  const all = async () =>
    (
      await Promise.all(
        topics.map(async (topic) =>
          (await auth.published(topic as typeof userTopic)).map((published) => ({ topic: topic.name, ...published })),
        ),
      )
    ).flat()
  const before = new Map<string, number>()
  for (const { topic } of await all()) before.set(topic, (before.get(topic) ?? 0) + 1)
  await work()
  const seen = new Map<string, number>()
  return (await all()).filter(({ topic }) => {
    seen.set(topic, (seen.get(topic) ?? 0) + 1)
    return (seen.get(topic) as number) > (before.get(topic) ?? 0)
  })
}
const succeeds = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer
  expect([status, text]).toEqual([expect.any(Number), expect.not.stringContaining('error')])
}
const person = (more: object = {}) => ({ email: `${randomUUID()}@office.test`, firstname: 'Eva', lastname: 'Lis', ...more })

describe('auth.customer.v1 and auth.user.v1', () => {
  const nothingSaid = {
    taxNumber: '',
    street: '',
    zip: '',
    city: '',
    voivodeship: undefined,
    phone: '',
    email: '',
    url: '',
    sentencesByMail: false,
  }

  it('contain a new office and its first administrator', async () => {
    const published = await publishedBy(() =>
      auth.service.administration.createOffice({ name: 'Kot', timeZone: 'Europe/Rome' }, { ...person(), password: 'a password' }),
    )
    const [customer, user] = published
    const id = (customer?.event as { id?: bigint } | undefined)?.id
    expect(published).toHaveLength(2)
    expect(customer).toEqual({
      topic: 'auth.customer.v1',
      key: String(id),
      event: { id, name: 'Kot', timeZone: 'Europe/Rome', ...nothingSaid, language: 'pl', revision: 1n, deleted: false, closed: false },
    })
    expect(user).toMatchObject({ topic: 'auth.user.v1', key: String(id), event: { customerId: id, active: true, revision: 1n } })
  })

  it('contain the whole state of a person after each change, with a growing revision', async () => {
    const User = person()
    let id = 0
    const { customerId } = office
    const state = { email: User.email, firstname: 'Eva', lastname: 'Lis', active: true }
    const expectPublished = async (work: () => Promise<unknown>, change: object, revision: bigint) => {
      const events = await publishedBy(work)
      const event = { ...state, ...change, id: BigInt(id), customerId, revision }
      expect(events).toEqual([{ topic: 'auth.user.v1', key: String(customerId), event }])
    }
    await expectPublished(async () => (id = (await http.post<{ id: number }>('/user', { User })).body.id), {}, 1n)
    await expectPublished(() => succeeds(http.put(`/user/${id}`, { User: { lastname: 'Kot' } })), { lastname: 'Kot' }, 2n)
    await expectPublished(() => succeeds(http.put(`/user/${id}`, { User: { password: 'a password' } })), { lastname: 'Kot' }, 3n)
    await expectPublished(() => succeeds(http.put(`/user/${id}/permission`, [])), { lastname: 'Kot' }, 4n)
    await expectPublished(() => succeeds(http.delete(`/user/${id}`)), { lastname: 'Kot', active: false }, 5n)
  })

  it('contain what people change themselves', async () => {
    const own = await auth.asExpert(office.trainee)
    const published = await publishedBy(() => succeeds(own.put('/user/me', { User: { firstname: 'Iga' } })))
    expect(published).toEqual([
      expect.objectContaining({ topic: 'auth.user.v1', event: expect.objectContaining({ firstname: 'Iga', revision: 2n }) }),
    ])
  })
})

describe('auth.client.v1 and auth.link.v1', () => {
  it('contain a new client and their link, and each change of the link', async () => {
    const { customerId } = office
    const Client = person({ phone: '+48 600', company_name: 'Lis & Co' })
    let id = 0
    const [account, link] = await publishedBy(async () => (id = (await http.post<{ id: number }>('/client', { Client })).body.id))
    const names = { email: Client.email, firstname: 'Eva', lastname: 'Lis', phone: '+48 600' }
    // What an office enters is on its card, in the link.
    const unknown = { email: Client.email, firstname: '', lastname: '', phone: '' }
    expect(account).toEqual({ topic: 'auth.client.v1', key: String(id), event: { id: BigInt(id), ...unknown, revision: 1n } })
    const state = { ...names, customerId, clientId: BigInt(id), state: LinkState.ACTIVE, banned: false, companyName: 'Lis & Co' }
    const linkId = (link?.event as { id?: bigint } | undefined)?.id
    const event = { ...state, id: linkId, revision: 1n, resumed: false, alreadyEnded: false }
    expect(link).toEqual({ topic: 'auth.link.v1', key: String(customerId), event })

    const banned = await publishedBy(() => succeeds(http.put(`/client/${id}`, { Client: { banned: 1, phone: null } })))
    expect(banned).toEqual([expect.objectContaining({ event: { ...event, banned: true, phone: '', revision: 2n } })])
    const ended = await publishedBy(() => succeeds(http.delete(`/client/${id}`)))
    expect(ended).toEqual([expect.objectContaining({ event: { ...event, banned: true, phone: '', state: LinkState.ENDED, revision: 3n } })])
    const again = await publishedBy(() => succeeds(http.post('/client', { Client })))
    const invited = { ...event, state: LinkState.INVITED, revision: 4n, resumed: true }
    expect(again).toEqual([expect.objectContaining({ event: invited })])
  })

  it('contain an invitation, its acceptance, and the end of the link', async () => {
    const client = await auth.client(await auth.office())
    const asClient = await auth.asClient(client)
    const Client = person({ email: client.username })
    const steps: [work: () => Promise<unknown>, state: LinkState][] = [
      [() => succeeds(http.post('/client', { Client })), LinkState.INVITED],
      [
        () => succeeds(asClient.post('/customer_user_link', { CustomerUserLink: { customer_id: String(office.customerId) } })),
        LinkState.ACTIVE,
      ],
      [async () => succeeds(asClient.delete(`/customer_user_link/${await linkId(asClient)}`)), LinkState.ENDED],
    ]
    const revisions: unknown[] = []
    for (const [work, state] of steps) {
      const published = await publishedBy(work)
      expect(published).toEqual([
        { topic: 'auth.link.v1', key: String(office.customerId), event: expect.objectContaining({ state, firstname: 'Eva' }) },
      ])
      revisions.push((published as unknown as { event: { revision: bigint } }[])[0]?.event.revision)
    }
    expect(revisions).toEqual([1n, 2n, 3n])
  })

  it('contain each link of a client whose id of the external platform the operator sets or removes', async () => {
    const { id } = await auth.client(office, await auth.office())
    for (const externalUserId of [randomUUID(), null]) {
      const published = await publishedBy(() => auth.service.administration.identifyClient(id, externalUserId))
      expect(published.map(({ topic }) => topic)).toEqual(['auth.client.v1', 'auth.link.v1', 'auth.link.v1'])
      expect((await http.get('/client?sort=-modified&limit=1')).body).toMatchObject([
        { Client: { id: String(id), external_user_id: externalUserId } },
      ])
    }
  })

  const linkId = async (asClient: HttpClient) => {
    const { body } = await asClient.get<{ results: { CustomerUserLink: { id: string; customer_id: string } }[] }>('/customer_user_link')
    return body.results.find(({ CustomerUserLink }) => CustomerUserLink.customer_id === String(office.customerId))?.CustomerUserLink.id
  }
})

describe('nothing is published', () => {
  let clientId: bigint
  let strangerId: bigint
  beforeAll(async () => {
    clientId = (await auth.client(office)).id
    strangerId = (await auth.client(await auth.office())).id
  })

  const refused: [what: string, status: number, call: () => Promise<{ status: number }>][] = [
    ['a taken address', 400, () => http.post('/user', { User: person({ email: office.expert.username }) })],
    ['a taken address in a change', 400, () => http.put(`/user/${office.trainee.id}`, { User: { email: office.expert.username } })],
    ['an old version', 412, () => http.put(`/user/${office.trainee.id}`, { User: { lastname: 'B' } }, { 'if-match': '"99"' })],
    ['the last administrator', 409, () => http.delete(`/user/${office.administrator.id}`)],
    [
      'a wrong password',
      400,
      async () => (await auth.asExpert(office.trainee)).put('/user/me', { User: { password: 'another one', current_password: 'x' } }),
    ],
    ['a client of another office', 404, () => http.delete(`/client/${strangerId}`)],
  ]
  it.each(refused)('when a change is refused: %s', async (_, status, call) => {
    expect(await publishedBy(async () => expect((await call()).status).toBe(status))).toEqual([])
  })

  it('after a change that changes nothing', async () => {
    const asClient = await auth.asClient(await auth.client(office))
    const published = await publishedBy(async () => {
      await succeeds(http.put(`/user/${office.trainee.id}`, { User: { id: '1' } }))
      await succeeds(http.put('/user/me', { User: {} }))
      await succeeds(http.put(`/client/${clientId}`, { Client: { email: 'other@client.test' } }))
      await succeeds(asClient.put('/client/me', { Client: {} }))
      await succeeds(http.put('/customer/me', { Customer: {} }))
    })
    expect(published).toEqual([])
  })

  it('after a repeated request, and after changes of roles and rights', async () => {
    const { body } = await http.post<{ id: number }>('/user_role', { UserRole: { name: 'Guest' } })
    const published = await publishedBy(async () => {
      await succeeds(http.put(`/user_role/${body.id}`, { UserRole: { name: 'B', base_role: 3 } }))
      await succeeds(http.put(`/user_role/${body.id}/permission`, []))
      await succeeds(http.delete(`/user_role/${body.id}`))
      await auth.service.administration.linkClient(clientId, office.customerId)
    })
    expect(published).toEqual([])
  })
})
