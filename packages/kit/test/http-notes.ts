import type { FastifyInstance } from 'fastify'
import type { Caller, Client, Employee, Id, Role, Technical } from '../src/caller/index.js'
import { notFound, stale, tokenInvalid } from '../src/errors/index.js'
import {
  type Answer,
  choice,
  createHttpApp,
  defineResource,
  type HttpAppOptions,
  type IdempotencyStore,
  idText,
  type ListQuery,
  nullable,
  type RecordOf,
  type ResourceHandlers,
  readOnly,
  resourceRoutes,
  text,
  timestamp,
  writeOnly,
} from '../src/http/index.js'
import { createLog, createMetrics } from '../src/observability/index.js'

/** A resource that has a bit of everything. */
export const noteResource = defineResource({
  name: 'Note',
  alsoAccepts: ['Memo'],
  path: 'note',
  table: 'notes',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: nullable(idText),
    title: text({ max: 20 }),
    status: choice('new', 'open'),
    due: nullable(timestamp),
    number: readOnly(idText),
    secret: writeOnly(text({ max: 10 })),
    created: timestamp,
    modified: timestamp,
  },
  create: ['user_id', 'title', 'status', 'due', 'secret'],
  required: ['title'],
  update: ['user_id', 'title', 'status', 'due'],
  filter: ['status', 'user_id'],
  sort: ['id', 'title', 'modified'],
  roles: { remove: ['administrator'] },
})
export type Note = RecordOf<typeof noteResource>

/** Its view for clients: of several offices, each note in the zone of its own. */
export const sharedNoteResource = defineResource({
  name: 'Note',
  path: 'note',
  table: 'notes',
  audience: 'client',
  ownedBy: 'user_id',
  fields: { id: idText, customer_id: idText, title: text({ max: 20 }), due: nullable(timestamp) },
  create: ['customer_id', 'title', 'due'],
  required: ['customer_id', 'title'],
  joined: { Office: { id: idText, name: text({ max: 50 }) } },
  listAs: 'results',
})

export const employee = (role: Employee['role'] = 'expert', customerId: Id = 1n): Employee => ({
  audience: 'expert',
  role,
  userId: customerId * 10n,
  customerId,
  sessionId: 's',
})
export const client: Client = { audience: 'client', role: 'client', userId: 77n, customerId: null, sessionId: 's' }
export const technical: Technical = { audience: 'expert', role: 'technical', userId: 5n, customerId: null, sessionId: 's' }

const callers = new Map<string, Caller>([
  ['client', client],
  ['technical', technical],
  ...(['administrator', 'expert', 'trainee'] as const).map((role) => [role, employee(role)] as const),
  ['elsewhere', employee('administrator', 2n)],
])

/** Bearer tokens are the names of the callers above. */
export const as = (name: string) => ({ authorization: `Bearer ${name}` })

export const moment = new Date('2026-07-01T10:00:00.500Z')

/** Keeps notes in memory, as a service would in its database. */
export function notebook() {
  const notes = new Map<Id, Note>()
  const asked: ListQuery<typeof noteResource>[] = []
  const own = (caller: Employee, id: Id, expected?: number) => {
    const note = notes.get(id)
    if (note?.customerId !== caller.customerId) throw notFound()
    if (expected !== undefined && note.version !== expected) throw stale()
    return note
  }
  const handlers: ResourceHandlers<typeof noteResource> = {
    async list(caller, query) {
      asked.push(query)
      const after = query.cursor?.id ?? 0n
      const all = [...notes.values()].filter(({ customerId }) => customerId === caller.customerId)
      const items = all.filter(({ id }) => id > after).slice(0, query.limit)
      const last = items.at(-1)
      const more = last && last.id < (all.at(-1)?.id ?? 0n)
      return {
        items,
        ...(more && { next: { value: last[query.sort.field], id: last.id } }),
        ...(query.count && { total: all.length }),
      }
    },
    get: async (caller, id) => own(caller, id),
    async create({ customerId }, { secret: _secret, ...input }) {
      const id = BigInt(notes.size + 1)
      const given = { userId: null, status: 'new' as const, due: null, ...input }
      notes.set(id, { ...given, id, customerId, number: id, created: moment, modified: moment, version: 1 })
      return id
    },
    async change(caller, id, changes, expected) {
      const note = own(caller, id, expected)
      notes.set(id, { ...note, ...changes, version: note.version + 1 })
    },
    async remove(caller, id, expected) {
      notes.delete(own(caller, id, expected).id)
    },
  }
  return { notes, asked, handlers }
}

/** Keeps answers in memory; a second request waits for the first. */
export function answersInMemory(): IdempotencyStore {
  const answers = new Map<string, Promise<Answer>>()
  return {
    once({ userId }, route, key, bodyHash, produce) {
      const id = [userId, route, key, bodyHash].join()
      const answer = answers.get(id) ?? produce()
      answers.set(id, answer)
      answer.catch(() => answers.delete(id))
      return answer
    },
  }
}

const zones = new Map<Id, string>([
  [1n, 'Europe/Warsaw'],
  [2n, 'America/New_York'],
])

export function appWith(options: Partial<HttpAppOptions> = {}, lines: string[] = []): FastifyInstance {
  return createHttpApp({
    name: 'notes',
    log: createLog({ service: 'notes', level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    metrics: createMetrics('notes'),
    verifier: {
      verify(token, audience) {
        const caller = callers.get(token)
        if (caller?.audience !== audience) throw tokenInvalid()
        return caller
      },
    },
    urls: { expert: 'https://experts.example', client: 'https://clients.example' },
    timeZones: { of: async (customerId) => zones.get(customerId) ?? 'UTC' },
    idempotency: answersInMemory(),
    routes: { expert: [], client: [] },
    ...options,
  })
}

/** An app with the notes on the expert address, and what it keeps. */
export function notesApp(options: Partial<HttpAppOptions> = {}) {
  const book = notebook()
  const routes = { expert: [resourceRoutes(noteResource, book.handlers)], client: [], ...options.routes }
  return { ...book, app: appWith({ ...options, routes }) }
}

export type { Role }
