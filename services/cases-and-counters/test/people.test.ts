import { LinkState } from '@caseway/protos/auth/v1/events'
import { customerTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from './support/cases.js'
import { customer, link, user } from './support/fake-auth.js'

const known = { customerId: randomId(), userId: randomId(), clientId: randomId() }

let cases: Cases
beforeAll(async () => {
  cases = await startCases({
    prepare: (auth) => {
      auth.customers.push(customer({ id: known.customerId, timeZone: 'Asia/Tokyo' }))
      auth.users.push(user({ id: known.userId, customerId: known.customerId }))
      auth.links.push(link({ id: 5n, customerId: known.customerId, clientId: known.clientId }))
      // More than a page of the snapshot.
      auth.users.push(...Array.from({ length: 1500 }, (_, i) => user({ id: BigInt(i + 1), customerId: 1n })))
    },
  })
})
afterAll(() => cases.stop())

const copyOf = (table: string, id: bigint) => cases.database.rows(`SELECT * FROM ${table} WHERE id = $1`, [id])

/** Every order of three, each event twice. */
const orders = [
  [0, 1, 2, 0, 1, 2],
  [2, 1, 0, 0, 1, 2],
  [1, 2, 2, 0, 1, 0],
] as const

describe('copies', () => {
  it('are filled once from the snapshot', async () => {
    await eventually(async () => expect(await cases.database.rows('SELECT name FROM kit.copy_state')).toHaveLength(3))
    expect(await cases.database.rows('SELECT id FROM users WHERE customer_id = 1')).toHaveLength(1500)
    expect(await copyOf('customers', known.customerId)).toEqual([expect.objectContaining({ time_zone: 'Asia/Tokyo' })])
    expect(await copyOf('client_links', 5n)).toEqual([expect.objectContaining({ client_id: String(known.clientId), linked: true })])
  })

  it.each(orders)('of users keep the newest state: %i %i %i %i %i %i', async (...order) => {
    const [id, customerId] = [randomId(), randomId()]
    const states = [true, false, true].map((active, i) => user({ id, customerId, active, revision: BigInt(i + 1) }))
    await cases.publish(userTopic, ...order.map((i) => states[i] as (typeof states)[number]))
    expect(await copyOf('users', id)).toEqual([{ id: String(id), customer_id: String(customerId), active: true, revision: '3' }])
  })

  it.each(orders)('of offices keep the newest state: %i %i %i %i %i %i', async (...order) => {
    const id = randomId()
    const zones = ['Europe/Warsaw', 'Europe/Berlin', 'Europe/Rome']
    const states = zones.map((timeZone, i) => customer({ id, timeZone, revision: BigInt(i + 1) }))
    await cases.publish(customerTopic, ...order.map((i) => states[i] as (typeof states)[number]))
    expect(await copyOf('customers', id)).toEqual([{ id: String(id), time_zone: 'Europe/Rome', revision: '3' }])
  })

  it.each(orders)('of links keep the newest state: %i %i %i %i %i %i', async (...order) => {
    const [id, customerId, clientId] = [randomId(), randomId(), randomId()]
    const banned = { banned: true, state: LinkState.ACTIVE }
    const states = [{ state: LinkState.INVITED }, { state: LinkState.ACTIVE }, banned].map((state, i) =>
      link({ id, customerId, clientId, revision: BigInt(i + 1), ...state }),
    )
    await cases.publish(linkTopic, ...order.map((i) => states[i] as (typeof states)[number]))
    expect(await copyOf('client_links', id)).toEqual([expect.objectContaining({ linked: false, revision: '3' })])
  })
})

describe('who belongs to an office', () => {
  const assign = (userId: bigint, http = cases.asExpert(cases.office().expert)) =>
    http.post('/issue', { Issue: { subject: 'x', user_id: String(userId) } })

  it('is known by the copy, without a question', async () => {
    const office = cases.office()
    const newcomer = user({ id: randomId(), customerId: office.customerId })
    await cases.publish(userTopic, newcomer)
    const before = cases.auth.questions
    expect((await assign(newcomer.id, cases.asExpert(office.expert))).status).toBe(201)
    expect(cases.auth.questions).toBe(before)
  })

  it('is asked of auth when the copy does not know yet', async () => {
    const office = cases.office()
    const before = cases.auth.questions
    expect((await assign(office.trainee.userId, cases.asExpert(office.expert))).status).toBe(201)
    expect(cases.auth.questions).toBe(before + 1)
  })

  it('is nobody who has left, or whom auth does not know', async () => {
    const office = cases.office()
    const left = user({ id: randomId(), customerId: office.customerId, active: false })
    cases.auth.users.push(left)
    await cases.publish(userTopic, left)
    const http = cases.asExpert(office.expert)
    const answers = [await assign(left.id, http), await assign(randomId(), http)]
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ status: 'error', errorMessages: { user_id: 'does not exist' } })))
  })
})

describe('the clocks of an office', () => {
  it('are those of the default until auth has told', async () => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    const id = await openIssue(http, { deadline: '2026-07-01 12:00:00' })
    const [row] = await cases.database.rows('SELECT deadline FROM issues WHERE id = $1', [id])
    expect(row).toEqual({ deadline: new Date('2026-07-01T10:00:00Z') })
  })
})
