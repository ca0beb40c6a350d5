import { randomUUID } from 'node:crypto'
import { registry, serviceNames } from '@caseway/registry'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { documentOf, type Installation, installation } from './support/installation.js'

const cases = registry.casesAndCounters.name

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())
beforeEach(() => place.cases.rows('TRUNCATE kit.dead_letter'))

/** Stores an event of auth as a dead letter of a service that subscribes to it. */
async function bury(changes: { consumer?: string; payload?: Buffer } = {}) {
  const { customer_id, user_id } = await place.office()
  const [told] = await place.auth.rows<{ event_id: string; payload: Buffer }>(
    "SELECT event_id, payload FROM kit.outbox WHERE topic = 'auth.user.v1' AND key = $1",
    [customer_id],
  )
  const { consumer = 'auth.user.v1', payload = told?.payload } = changes
  await place.cases.rows(
    `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
     VALUES ($1, $2, 'auth.user.v1', $3, $4, jsonb_build_object('ce_id', $2::uuid), now(), 'Error: not me')`,
    [consumer, told?.event_id ?? randomUUID(), customer_id, payload],
  )
  return { customerId: customer_id, userId: user_id, eventId: told?.event_id }
}

describe('dead-letters list', () => {
  it('shows what was dead-lettered and why, without its content', async () => {
    const { eventId, customerId } = await bury()
    expect(documentOf(await place.caseway('dead-letters', 'list', '--json'))).toEqual({
      dead_letters: [
        {
          ...{ service: cases, consumer: 'auth.user.v1', topic: 'auth.user.v1', key: customerId, event_id: eventId },
          ...{ time: expect.any(String), since: expect.any(String), error: 'Error: not me' },
        },
      ],
      total: 1,
    })
    const { out } = await place.caseway('dead-letters', 'list')
    expect(out.split('\n')).toEqual([expect.stringMatching(/^SERVICE +CONSUMER /), expect.stringContaining('Error: not me')])
  })

  it('states how many it omits', async () => {
    await bury()
    await bury()
    expect((await place.caseway('dead-letters', 'list', '--limit', '1')).out).toMatch(/\n\n1 more\.$/)
  })

  it('shows one service only when one is named', async () => {
    await bury()
    expect(await place.caseway('dead-letters', 'list', '--service', 'auth')).toEqual({ code: 0, out: 'No dead letters.', err: '' })
  })
})

describe('dead-letters replay', () => {
  it('passes them to the consumers of the service', async () => {
    const { userId, customerId } = await bury()
    expect(documentOf(await place.caseway('dead-letters', 'replay', '--json'))).toEqual({
      services: serviceNames.map((service) => ({ service, handled: service === cases ? 1 : 0, left: 0 })),
    })
    expect(await place.cases.rows('SELECT id::text, customer_id::text FROM users WHERE id = $1', [userId])).toEqual([
      { id: userId, customer_id: customerId },
    ])
    expect(await place.cases.rows('SELECT FROM kit.dead_letter')).toEqual([])
  })

  it('exits with 1 if some fail again', async () => {
    await bury({ payload: Buffer.from([0xff]) })
    await bury()
    expect(await place.caseway('dead-letters', 'replay', '--service', cases)).toEqual({
      code: 1,
      out: `${cases}: 1 handled, 1 left.`,
      err: '1 dead letter could not be handled: dead-letters list says why.',
    })
  })
})

describe('dead-letters delete', () => {
  const remove = (event: string | undefined, ...more: string[]) =>
    place.caseway('dead-letters', 'delete', '--service', cases, '--event', event ?? '', ...more)

  it('deletes only this event, for every consumer of the service', async () => {
    const [given, kept] = [await bury(), await bury()]
    await place.cases.rows(`
      INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
      SELECT 'gone', event_id, topic, key, payload, headers, time, error FROM kit.dead_letter WHERE event_id = '${given.eventId}'`)
    expect(await remove(given.eventId)).toEqual({ code: 0, out: `2 dead letters of ${cases} deleted.`, err: '' })
    expect(await place.cases.rows('SELECT event_id FROM kit.dead_letter')).toEqual([{ event_id: kept.eventId }])
    expect(documentOf(await remove(kept.eventId, '--json'))).toEqual({ service: cases, event_id: kept.eventId, deleted: 1 })
  })

  it('exits with 1 if the event has no dead letter', async () => {
    const event = randomUUID()
    expect(await remove(event)).toEqual({ code: 1, out: '', err: `${cases} has no dead letter of the event ${event}.` })
  })

  it('exits with 2 if the id is not a UUID', async () => {
    expect(await remove('7')).toEqual({ code: 2, out: '', err: "Option '--event <id>' argument '7' is invalid. It must be a UUID." })
  })
})
