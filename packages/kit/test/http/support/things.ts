import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import {
  choice,
  date,
  email,
  flagText,
  hexColor,
  idInteger,
  idText,
  integerText,
  line,
  nullable,
  once,
  paragraph,
  required,
  timestamp,
  writable,
  writeOnly,
  zone,
} from '@caseway/kit/fields'
import { type HttpAppOptions, resourceRoutes } from '@caseway/kit/http'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import { type HttpClient, testTenant } from '@caseway/testing'
import { type Served, serve } from './served.js'

const kinds = {
  owner: writable(idText),
  parent: writable(idInteger),
  name: required(line({ max: 5 })),
  code: writable(line({ min: 2, max: 4 })),
  about: writable(paragraph({ max: 20 })),
  colour: writable(hexColor),
  mail: writable(email),
  clocks: writable(zone),
  status: writable(choice('new', '3')),
  done: writable(flagText),
  rank: writable(integerText({ min: -1, max: 9 })),
  due: writable(timestamp),
  day: writable(date),
}

/** The same kinds, nullable. */
const nullableKinds = {
  no_owner: nullable(kinds.owner),
  no_parent: nullable(kinds.parent),
  no_name: nullable(writable(line({ max: 5 }))),
  no_code: nullable(kinds.code),
  no_about: nullable(kinds.about),
  no_colour: nullable(kinds.colour),
  no_mail: nullable(kinds.mail),
  no_clocks: nullable(kinds.clocks),
  no_status: nullable(kinds.status),
  no_done: nullable(kinds.done),
  no_rank: nullable(kinds.rank),
  no_due: nullable(kinds.due),
  no_day: nullable(kinds.day),
}
export type NullableKind = keyof typeof nullableKinds
export const nullableNames = Object.keys(nullableKinds) as NullableKind[]
export type Kind = keyof typeof kinds
export const names = Object.keys(kinds) as Kind[]

const thingResource = defineResource({
  name: 'Thing',
  alsoAccepts: ['Thingy'],
  path: 'thing',
  table: 'things',
  fields: {
    id: idText,
    customer_id: idText,
    ...kinds,
    ...nullableKinds,
    shown: nullable(line({ max: 10 })),
    secret: writeOnly(once(line({ max: 10 }))),
    created: timestamp,
    modified: timestamp,
  },
})
type Thing = RecordOf<typeof thingResource>

/** The id of an owner that `fieldErrors` refuses. */
export const nobody = 404n

/** The defaults of columns that were not sent. */
const defaults = {
  status: 'new',
  ...{ owner: 1n, parent: 1n, code: 'ab', about: '', colour: '000000', mail: 'a@b.example', clocks: 'UTC', done: false, rank: 0 },
  ...{ due: new Date(0), day: '2026-07-01', shown: null },
  ...{
    noOwner: null,
    noParent: null,
    noName: null,
    noCode: null,
    noAbout: null,
    noColour: null,
    noMail: null,
    noClocks: null,
    noStatus: null,
  },
  ...{ noDone: null, noRank: null, noDue: null, noDay: null },
} as const

/** Handlers that store records in memory as they get them. */
function shelf() {
  const things = new Map<Id, Thing>()
  const given: InputOf<typeof thingResource>[] = []
  const changed: ChangesOf<typeof thingResource>[] = []
  const own = (id: Id): Thing => {
    const thing = things.get(id)
    if (!thing) throw notFound()
    return thing
  }
  return {
    given,
    changed,
    handlers: {
      get: async (_: Employee, id: Id) => own(id),
      async create({ customerId }: Employee, sent: InputOf<typeof thingResource>) {
        given.push(sent)
        const { secret: _, ...input } = sent
        const id = BigInt(things.size + 1)
        const moment = new Date('2026-07-01T10:00:00.500Z')
        things.set(id, { ...defaults, ...input, id, customerId, created: moment, modified: moment, version: 1 })
        return id
      },
      async change(_: Employee, id: Id, changes: ChangesOf<typeof thingResource>) {
        changed.push(changes)
        things.set(id, { ...own(id), ...changes })
      },
      async fieldErrors(_: Employee, { owner }: ChangesOf<typeof thingResource>, id?: Id) {
        return owner === nobody ? { owner: id ? `does not exist, for ${id}` : 'does not exist', name: 'is known to be wrong' } : undefined
      },
    },
  }
}

export interface ServedThings extends Served {
  /** The inputs of creates, in order. */
  given: InputOf<typeof thingResource>[]
  /** The inputs of changes, in order. */
  changed: ChangesOf<typeof thingResource>[]
}

/** One resource with a field of every kind. */
export async function serveThings(options: Partial<Omit<HttpAppOptions, 'routes'>> = {}): Promise<ServedThings> {
  const { handlers, ...seen } = shelf()
  return { ...(await serve({ ...options, expert: [resourceRoutes(thingResource, handlers)] })), ...seen }
}

export const createThing = (http: HttpClient, fields: object) =>
  http.post<{ id: number; errorMessages: object }>('/thing', { Thing: { name: 'a', ...fields } })

/** Creates a thing from `fields`, and returns it as it is shown. */
export async function shownAfter(served: Served, fields: object, person = testTenant(served.issuer).expert) {
  const http = served.asExpert(person)
  const { body, text } = await createThing(http, fields)
  if (!body.id) throw new Error(text)
  return (await http.get<{ Thing: Record<string, unknown> }>(`/thing/${body.id}`)).body.Thing
}
