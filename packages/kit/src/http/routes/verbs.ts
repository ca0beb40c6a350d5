import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Id } from '../../caller/index.js'
import { requestContext } from '../../observability/index.js'
import {
  type CallerOf,
  type ChangesOf,
  type InputOf,
  isOfficeNamed,
  type ListQuery,
  listPathOf,
  listQueryReader,
  orderOf,
  type RecordOf,
  type Resource,
  type ResourceHandlers,
  type StoredList,
  storedList,
  storedRecord,
} from '../../resource/index.js'
import { bodyParser } from '../bodies/body.js'
import { timesAsShown } from '../bodies/shown-times.js'
import { storedRowEncoder, versionOf } from '../bodies/stored-wire.js'
import { sendTagged } from '../bodies/tagged-json.js'
import { officeOf, recordEncoder, type WrappedRecord } from '../bodies/wire.js'
import { json } from '../server/envelope.js'
import { bodyWriter } from './body-writer.js'
import { prefersCsv, sendCsv } from './csv.js'
import { etagOf, expectedVersion } from './etag.js'
import { idParam } from './id-param.js'
import { linkToNext } from './pages.js'
import type { Space } from './routes.js'

/** A resource in one route space. Only the handlers of routed verbs are defined, despite the type. */
export interface Served<R extends Resource> {
  readonly resource: R
  readonly handlers: Required<ResourceHandlers<R>>
  readonly space: Space
}

export const done = { status: 'OK' }

/** The caller by the audience of the resource, which `authenticate` has checked. */
const callerOf = <R extends Resource>({ caller }: FastifyRequest) => caller as CallerOf<R>

export function listVerb<R extends Resource>(served: Served<R>) {
  const { resource, space } = served
  const read = listQueryReader(resource)
  const page = pageReader(served)
  const exported = csvReader(served)
  const path = listPathOf(resource)

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf<R>(request)
    const sent = request.query as { sort?: string; q?: string }
    const query = read(sent, await space.zones(caller.customerId ?? officeNamed(resource, request.query)))
    if (exported && prefersCsv(request)) return exported(reply, caller, query)
    const { answer, next, total } = await page(caller, query, reply)
    if (next) reply.header('link', linkToNext(space, path, sent, orderOf(resource, sent), next))
    if (total !== undefined) reply.header('x-total-count', total)
    return answer
  }
}

/** The office in whose time zone the times of the query are, where a client filters by `customer_id`. */
function officeNamed({ fields, filter }: Resource, query: unknown): Id | undefined {
  const { customer_id: sent } = query as { customer_id?: unknown }
  const office = filter.includes('customer_id') && typeof sent === 'string' ? fields.customer_id?.decode(sent, 'UTC') : undefined
  return typeof office === 'bigint' ? office : undefined
}

function csvReader<R extends Resource>({ resource, handlers, space }: Served<R>) {
  if (!resource.csv) return undefined
  const stored = storedList<R>(handlers.list)
  if (!stored) throw new Error(`The list of ${resource.name} is not a read of its rows, and cannot be exported as CSV.`)
  return sendCsv(resource, untraced(stored), space.zones)
}

/** Runs `list` outside of the trace: an export would add a span for each of its many pages. */
const untraced =
  <R extends Resource>(list: StoredList<R>): StoredList<R> =>
  (...args) => {
    const context = requestContext.get()
    return context ? requestContext.run({ ...context, span: undefined }, () => list(...args)) : list(...args)
  }

/** Returns a function that reads a page and encodes it: as JSON text where the handler has stored rows (see `withStoredRows`), otherwise as records. */
function pageReader<R extends Resource>({ resource, handlers, space }: Served<R>) {
  const { listAs } = resource
  const stored = storedList<R>(handlers.list)
  if (stored) {
    const encode = storedRowEncoder(resource, space.zones)
    const [head, tail] = listAs ? [`{${JSON.stringify(listAs)}:[`, ']}'] : ['[', ']']
    return async (caller: CallerOf<R>, query: ListQuery<R>, reply: FastifyReply) => {
      const { items, embeddable, ...page } = await stored(caller, query)
      const answer = `${head}${(await encode(items, caller, embeddable)).join()}${tail}`
      reply.type(json)
      return { ...page, answer }
    }
  }
  if (Object.keys(resource.embeddable).length > 0)
    throw new Error(`The list of ${resource.name} is not a read of its rows, and cannot embed objects.`)
  const encode = recordEncoder(resource)
  return async (caller: CallerOf<R>, query: ListQuery<R>) => {
    const { items, ...page } = await handlers.list(caller, query)
    const records: WrappedRecord[] = []
    for (const item of items) {
      const zone = space.zones(officeOf(item, caller))
      records.push(encode(item, typeof zone === 'string' ? zone : await zone))
    }
    return { ...page, answer: listAs ? { [listAs]: records } : records }
  }
}

/** Returns a function that answers with a record and its entity tag, or with 304. A record of version 0 is not stored, and has no entity tag. */
export function recordAnswer<R extends Resource>(resource: R, space: Space) {
  const encode = recordEncoder(resource)
  return async (request: FastifyRequest, reply: FastifyReply, record: RecordOf<R>) => {
    const answer = JSON.stringify(encode(record, await space.zones(officeOf(record, request.caller))))
    return record.version > 0 ? sendRecord(request, reply, record.version, answer) : reply.type(json).send(answer)
  }
}

/** Answers with the JSON text of a record and its entity tag, or with 304 where `If-None-Match` names it. */
export const sendRecord = (request: FastifyRequest, reply: FastifyReply, version: number, text: string) =>
  sendTagged(request, reply, { text, etag: etagOf(version, text) })

export function getVerb<R extends Resource>({ resource, handlers, space }: Served<R>) {
  const stored = storedRecord<R>(handlers.get)
  if (stored) {
    const encode = storedRowEncoder(resource, space.zones)
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const row = await stored(callerOf<R>(request), idParam(request))
      const [answer = ''] = await encode([row], request.caller)
      return sendRecord(request, reply, versionOf(resource, row), answer)
    }
  }
  const answer = recordAnswer(resource, space)
  return async (request: FastifyRequest, reply: FastifyReply) =>
    answer(request, reply, await handlers.get(callerOf<R>(request), idParam(request)))
}

export function createVerb<R extends Resource>({ resource, handlers, space }: Served<R>) {
  const { name, alsoAccepts, create, path, createAnswers } = resource
  const read = bodyParser([name, ...alsoAccepts], create)
  const write = bodyWriter(handlers.fieldErrors)
  const encode = recordEncoder<Resource>({ ...resource, embedded: {} })
  const namesOffice = isOfficeNamed(resource)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf<R>(request)
    const { customer_id: office } = request.query as { customer_id?: unknown }
    const elsewhere = namesOffice && office !== undefined ? { customer_id: office } : {}
    const body = read(request.body, await space.zones(caller.customerId), elsewhere)
    const created = await write(caller, body, () => handlers.create(caller, body.values as InputOf<R>))
    const id = typeof created === 'bigint' ? created : created.id
    const answer = answerCreated(reply, space, path, id)
    if (!createAnswers) return answer
    const record = await handlers.get(caller, id)
    const wrapped = encode(record as RecordOf<Resource>, await space.zones(officeOf(record, caller)))
    return createAnswers === 'record' ? wrapped : { ...answer, ...picked(wrapped[name] as object, createAnswers) }
  }
}

const picked = (record: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

/** Sets status 201 and `location`. @returns the body `{ id }` */
export function answerCreated(reply: FastifyReply, space: Space, path: string, id: Id) {
  reply.code(201).header('location', `${space.url}/rest/${path}/${id}`)
  return { id: Number(id) }
}

export function changeVerb<R extends Resource>({ resource, handlers, space }: Served<R>) {
  const { name, alsoAccepts, update } = resource
  const read = bodyParser([name, ...alsoAccepts], update, { partial: true })
  const write = bodyWriter(handlers.fieldErrors)
  const asShown = timesAsShown(resource)
  return async (request: FastifyRequest) => {
    const caller = callerOf<R>(request)
    const id = idParam(request)
    const zone = await space.zones(caller.customerId)
    const body = read(request.body, zone)
    const expected = expectedVersion(request.headers['if-match'])
    const change = async () => {
      const values = await asShown(body, zone, () => handlers.get(caller, id))
      return handlers.change(caller, id, values as ChangesOf<R>, expected)
    }
    await write(caller, body, change, id)
    return done
  }
}

export function removeVerb<R extends Resource>({ handlers }: Served<R>) {
  return async (request: FastifyRequest) => {
    await handlers.remove(callerOf<R>(request), idParam(request), expectedVersion(request.headers['if-match']))
    return done
  }
}
