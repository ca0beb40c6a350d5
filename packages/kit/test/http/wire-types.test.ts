import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import {
  choice,
  date,
  defineResource,
  email,
  flagText,
  hexColor,
  type InputOf,
  idInteger,
  idText,
  integerText,
  nullable,
  type RecordOf,
  readOnly,
  resourceRoutes,
  text,
  timestamp,
  writeOnly,
  zone,
} from '@caseway/kit/http'
import { type HttpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { onTheClocksOf, type Served, serve } from './support/served.js'

const kinds = {
  owner: idText,
  parent: idInteger,
  name: text({ max: 5 }),
  code: text({ min: 2, max: 4 }),
  colour: hexColor,
  mail: email,
  clocks: zone,
  status: choice('new', '3'),
  done: flagText,
  rank: integerText({ min: -1, max: 9 }),
  due: timestamp,
  day: date,
  maybe: nullable(idText),
  choose: nullable(choice('a', 'b')),
  mark: nullable(flagText),
}
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]

const thingResource = defineResource({
  name: 'Thing',
  alsoAccepts: ['Thingy'],
  path: 'thing',
  table: 'things',
  fields: {
    id: idText,
    customer_id: idText,
    ...kinds,
    shown: readOnly(nullable(text({ max: 10 }))),
    secret: writeOnly(text({ max: 10 })),
    created: timestamp,
    modified: timestamp,
  },
  create: [...names, 'secret'],
  required: ['name'],
  update: names,
})
type Thing = RecordOf<typeof thingResource>

const nothing = {
  ...{ owner: null, parent: null, code: null, colour: null, mail: null, clocks: null, status: null, done: null, rank: null },
  ...{ due: null, day: null, maybe: null, choose: null, mark: null, shown: null },
}

/** Keeps what it is given, so that nothing but the declaration stands between the two sides of the wire. */
function shelf() {
  const things = new Map<Id, Thing>()
  const given: InputOf<typeof thingResource>[] = []
  const own = (id: Id): Thing => {
    const thing = things.get(id)
    if (!thing) throw notFound()
    return thing
  }
  return {
    given,
    handlers: {
      get: async (_: Employee, id: Id) => own(id),
      async create({ customerId }: Employee, { secret: _, ...input }: InputOf<typeof thingResource>) {
        given.push(input)
        const id = BigInt(things.size + 1)
        const moment = new Date('2026-07-01T10:00:00.500Z')
        things.set(id, { ...nothing, ...input, id, customerId, created: moment, modified: moment, version: 1 } as unknown as Thing)
        return id
      },
      change: async (_: Employee, id: Id, changes: object) => void things.set(id, { ...own(id), ...changes }),
    },
  }
}

let served: Served
const { given, handlers } = shelf()
beforeAll(async () => {
  served = await serve({ expert: [resourceRoutes(thingResource, handlers)] })
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)
const create = (http: HttpClient, fields: object) =>
  http.post<{ id: number; errorMessages: object }>('/thing', { Thing: { name: 'a', ...fields } })

async function shownAfter(fields: object) {
  const http = served.asExpert(office().expert)
  const { body, text } = await create(http, fields)
  if (!body.id) throw new Error(text)
  return (await http.get<{ Thing: Record<string, unknown> }>(`/thing/${body.id}`)).body.Thing
}

describe('what is sent', () => {
  it.each<[Kind, unknown, unknown]>([
    ['owner', '7', '7'],
    ['owner', 7, '7'],
    ['owner', 9007199254740991, '9007199254740991'],
    ['parent', '7', 7],
    ['parent', 7, 7],
    ['name', 'żółć', 'żółć'],
    ['name', '😀😀😀😀😀', '😀😀😀😀😀'],
    ['colour', 'aBc012', 'aBc012'],
    ['mail', 'a@b.example', 'a@b.example'],
    ['clocks', 'Europe/Lisbon', 'Europe/Lisbon'],
    ['status', 'new', 'new'],
    ['status', 3, '3'],
    ['status', '3', '3'],
    ['done', 1, '1'],
    ['done', '0', '0'],
    ['rank', '-1', '-1'],
    ['rank', 9, '9'],
    ['due', '2026-07-01 12:00:00', '2026-07-01 12:00:00'],
    ['due', '2026-07-01T10:00:00Z', '2026-07-01 12:00:00'],
    ['due', '2026-07-01T12:00:00.123+02:00', '2026-07-01 12:00:00'],
    ['day', '2024-02-29', '2024-02-29'],
    ['maybe', null, null],
    ['choose', null, null],
    ['choose', 'a', 'a'],
    ['mark', null, null],
  ])('%s %j is shown as %j', async (field, sent, shown) => expect((await shownAfter({ [field]: sent }))[field]).toEqual(shown))

  it.each<[Kind, unknown, string]>([
    ['owner', '07', 'must be an id'],
    ['owner', 1.5, 'must be an id'],
    ['owner', 0, 'must be an id'],
    ['owner', true, 'must be an id'],
    ['owner', 9007199254740992, 'must be an id'],
    ['owner', null, 'must not be null'],
    ['parent', '1e3', 'must be an id'],
    ['name', 'abcdef', 'must be at most 5 characters'],
    ['name', '  ', 'is required'],
    ['name', 5, 'must be text'],
    ['name', 'a\0', 'must not contain NUL characters'],
    ['name', '\ud800', 'must be well-formed Unicode'],
    ['code', 'a', 'must be at least 2 characters'],
    ['colour', '#abcde', 'must be six hexadecimal digits'],
    ['mail', 'a@', 'must be a valid e-mail address'],
    ['mail', `${'a'.repeat(250)}@b.example`, 'must be a valid e-mail address'],
    ['clocks', 'Europe/Atlantis', 'must be the IANA name of a time zone'],
    ['status', 'closed', 'must be one of new, 3'],
    ['status', ['new'], 'must be one of new, 3'],
    ['done', true, 'must be 0 or 1'],
    ['done', 'yes', 'must be 0 or 1'],
    ['rank', 10, 'must be an integer from -1 to 9'],
    ['rank', '1.0', 'must be an integer from -1 to 9'],
    ['rank', '', 'must be an integer from -1 to 9'],
    ['due', '2026-13-01 00:00:00', 'must be a time as YYYY-MM-DD HH:MM:SS'],
    ['due', '2026-07-01', 'must be a time as YYYY-MM-DD HH:MM:SS'],
    ['due', 1, 'must be a time as YYYY-MM-DD HH:MM:SS'],
    ['day', '2026-02-29', 'must be a date as YYYY-MM-DD'],
    ['maybe', '', 'must be an id'],
    ['choose', 'c', 'must be one of a, b'],
  ])('%s %j is refused', async (field, sent, why) => {
    const { status, body } = await create(served.asExpert(office().expert), { [field]: sent })
    expect({ status, body }).toEqual({ status: 400, body: { status: 'error', errorMessages: { [field]: why } } })
  })

  it('is named with everything that is wrong', async () => {
    const { body } = await create(served.asExpert(office().expert), { name: null, rank: 'x', done: 7 })
    expect(Object.keys(body.errorMessages)).toEqual(['name', 'done', 'rank'])
  })

  it('is passed over where it is unknown, read only, or said by us', async () => {
    const http = served.asExpert(office().expert)
    const extra = { id: 99, customer_id: '1', created: '2000-01-01 00:00:00', modified: 'never', shown: 'mine', nonsense: { a: [1] } }
    const { body } = await create(http, extra)
    expect(given.at(-1)).toEqual({ name: 'a' })
    await http.put(`/thing/${body.id}`, { Thing: { ...extra, secret: 'b' } })
    const { Thing } = (await http.get<{ Thing: object }>(`/thing/${body.id}`)).body
    expect(Thing).toMatchObject({ id: String(body.id), created: '2026-07-01 12:00:00', modified: '2026-07-01 12:00:00', shown: null })
    expect(Thing).not.toHaveProperty('secret')
    expect(Thing).not.toHaveProperty('nonsense')
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a text', '"text"'],
    ['another wrapper', { Think: { name: 'a' } }],
    ['a list in the wrapper', { Thing: [] }],
    ['null in the wrapper', { Thing: null }],
  ])('needs its wrapper: %s', async (_, body) => {
    const { status, text } = await served.asExpert(office().expert).post('/thing', body)
    expect({ status, text }).toEqual({ status: 400, text: '{"status":"error","errorMessages":{"Thing":"is required"}}' })
  })

  it('may come in the wrapper that old callers use', async () => {
    expect((await served.asExpert(office().expert).post('/thing', { Thingy: { name: 'a' } })).status).toBe(201)
  })

  it('may be a part of the fields in a change, but none of the required ones may be blank', async () => {
    const http = served.asExpert(office().expert)
    const { body } = await create(http, { rank: 1 })
    expect((await http.put(`/thing/${body.id}`, { Thing: {} })).status).toBe(200)
    const blank = await http.put(`/thing/${body.id}`, { Thing: { name: '' } })
    expect(blank.body).toEqual({ status: 'error', errorMessages: { name: 'is required' } })
  })
})

describe('a time', () => {
  it('is on the clocks of the office, also in the hour that an autumn night has twice', async () => {
    const { customerId, expert } = office()
    onTheClocksOf(customerId, 'America/New_York')
    const http = served.asExpert(expert)
    const show = async (due: string) => {
      const { body } = await create(http, { due })
      return (await http.get<{ Thing: { due: string; created: string } }>(`/thing/${body.id}`)).body.Thing
    }
    expect(await show('2026-07-01T10:00:00Z')).toMatchObject({ due: '2026-07-01 06:00:00', created: '2026-07-01 06:00:00' })
    await show('2026-11-01 01:30:00')
    expect(given.at(-1)?.due).toEqual(new Date('2026-11-01T05:30:00Z'))
    await show('2026-11-01T01:30:00-05:00')
    expect(given.at(-1)?.due).toEqual(new Date('2026-11-01T06:30:00Z'))
    await show('2026-03-08 02:30:00')
    expect(given.at(-1)?.due).toEqual(new Date('2026-03-08T07:30:00Z'))
  })
})
