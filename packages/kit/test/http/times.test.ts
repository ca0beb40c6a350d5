import type { Id } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import { eventually, randomId, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { onTheClocksOf } from './support/served.js'
import { createThing, type ServedThings, serveThings, shownAfter } from './support/things.js'

let served: ServedThings
const source = { down: false, asked: new Map<Id, number>(), zones: new Map<Id, string>() }
let changing: ServedThings
beforeAll(async () => {
  served = await serveThings()
  changing = await serveThings({
    timeZones: {
      async of(customerId) {
        source.asked.set(customerId, (source.asked.get(customerId) ?? 0) + 1)
        if (source.down) throw unavailable()
        return source.zones.get(customerId) ?? 'Europe/Warsaw'
      },
    },
  })
})
afterAll(() => Promise.all([served.stop(), changing.stop()]))

/** Creates an expert of a new office in `zone`. */
function personIn(zone: string) {
  const { customerId, expert } = testTenant(served.issuer)
  onTheClocksOf(customerId, zone)
  return expert
}

describe('a time', () => {
  it.each([
    ['2026-07-01 12:00:00', '2026-07-01T10:00:00Z'],
    ['2026-01-01 12:00:00', '2026-01-01T11:00:00Z'],
    ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00Z', '2026-07-01T10:00:00Z'],
    ['2026-07-01T12:00:00.123+02:00', '2026-07-01T10:00:00.123Z'],
    ['2026-06-30T23:30:00-10:30', '2026-07-01T10:00:00Z'],
  ])('%s is %s in Warsaw, and is shown in its time zone', async (sent, moment) => {
    const shown = await shownAfter(served, { due: sent })
    expect(served.given.at(-1)?.due).toEqual(new Date(moment))
    expect(shown?.due).toBe(moment.startsWith('2026-07') ? '2026-07-01 12:00:00' : '2026-01-01 12:00:00')
  })

  it.each([
    ['America/New_York', '2026-07-01 06:00:00'],
    ['Asia/Kathmandu', '2026-07-01 15:45:00'],
    ['Pacific/Kiritimati', '2026-07-02 00:00:00'],
    ['UTC', '2026-07-01 10:00:00'],
  ])('is in the time zone of an office in %s', async (zone, shown) => {
    const thing = await shownAfter(served, { due: '2026-07-01T10:00:00Z' }, personIn(zone))
    expect(thing).toMatchObject({ due: shown, created: shown, modified: shown })
    await shownAfter(served, { due: shown }, personIn(zone))
    expect(served.given.at(-1)?.due).toEqual(new Date('2026-07-01T10:00:00Z'))
  })

  it.each([
    ['Europe/Warsaw', '2026-10-25 02:30:00', '2026-10-25T00:30:00Z'],
    ['Europe/Warsaw', '2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00Z'],
    ['Europe/Warsaw', '2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00Z'],
    ['America/New_York', '2026-11-01 01:30:00', '2026-11-01T05:30:00Z'],
    ['America/New_York', '2026-11-01T01:30:00-05:00', '2026-11-01T06:30:00Z'],
  ])('in the hour that is repeated in autumn is the first one, unless it has an offset: %s %s', async (zone, sent, moment) => {
    const shown = await shownAfter(served, { due: sent }, personIn(zone))
    expect(served.given.at(-1)?.due).toEqual(new Date(moment))
    expect(shown?.due).toBe(sent.slice(0, 19).replace('T', ' '))
  })

  it.each([
    ['Europe/Warsaw', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z', '2026-03-29 03:30:00'],
    ['America/New_York', '2026-03-08 02:30:00', '2026-03-08T07:30:00Z', '2026-03-08 03:30:00'],
  ])('in the hour that is skipped in spring is an hour later: %s %s', async (zone, sent, moment, shown) => {
    expect(await shownAfter(served, { due: sent }, personIn(zone))).toMatchObject({ due: shown })
    expect(served.given.at(-1)?.due).toEqual(new Date(moment))
  })

  it.each([
    '2026-13-01 00:00:00',
    '2026-02-29 00:00:00',
    '2026-07-01 24:00:00',
    '2026-07-01 25:00:00',
    '2026-07-01T24:00:00Z',
    '2026-07-01T10:00:00+24:00',
    '2026-07-01T10:00:00+02:60',
    '2026-07-01 12:00',
    '2026-07-01',
    '2026-07-01T10:00:00',
    '2026-07-01 10:00:00Z',
    '2026-07-01T10:00:00+2:00',
    '2026-W27-3T10:00:00Z',
    '0999-01-01 00:00:00',
    '9999-12-31 23:59:59',
    '+012026-07-01T10:00:00Z',
    'now',
    '',
    1_782_900_000,
  ])('cannot be %j', async (due) => {
    const { status, body } = await createThing(served.asExpert(testTenant(served.issuer).expert), { due })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { due: 'must be a time as YYYY-MM-DD HH:MM:SS' } }])
  })
})

describe('the time zone of an office', () => {
  it('is cached, changes within seconds, and stays the last known one while its source is down', async () => {
    const { customerId, expert } = testTenant(changing.issuer, randomId())
    const created = async () => (await shownAfter(changing, {}, expert))?.created
    expect([await created(), await created()]).toEqual(['2026-07-01 12:00:00', '2026-07-01 12:00:00'])
    expect(source.asked.get(customerId)).toBe(1)
    source.zones.set(customerId, 'America/New_York')
    await eventually(async () => expect(await created()).toBe('2026-07-01 06:00:00'), { timeoutMs: 8000, everyMs: 200 })
    source.down = true
    const asked = source.asked.get(customerId) ?? 0
    await eventually(
      async () => {
        expect(await created()).toBe('2026-07-01 06:00:00')
        expect(source.asked.get(customerId)).toBeGreaterThan(asked)
      },
      { timeoutMs: 8000, everyMs: 200 },
    )
    expect(await created()).toBe('2026-07-01 06:00:00')
    source.down = false
  })

  it('that was never known is 503 while its source is down', async () => {
    source.down = true
    const { status } = await createThing(changing.asExpert(testTenant(changing.issuer, randomId()).expert), {})
    source.down = false
    expect(status).toBe(503)
  })
})
