import type { FastifySchema } from 'fastify'
import type { JsonSchema } from '../../fields/index.js'
import {
  isOfficeNamed,
  listParameters,
  object,
  type Resource,
  shown,
  shownEmbeddable,
  shownEmbedded,
  wrappedInput,
} from '../../resource/index.js'
import { answerSchemas, ok } from './answers.js'

const text = (description: string) => ({ type: 'string', description })
/** The path parameter of a record. */
export const idParameter = object({ id: text('The id of a record.') })
/** The header of a conditional change (RFC 9110 13.1.1). */
export const ifMatch = object({ 'if-match': text('Entity tag of the record that is to be changed.') }, [])
/** The header of a conditional read (RFC 9110 13.1.2). */
export const ifNoneMatch = object({ 'if-none-match': text('Entity tags of the versions that the caller has.') }, [])
/** The header of a request that may be repeated (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKey = object(
  { 'idempotency-key': { ...text('A repeated request with the same key gets the first answer.'), maxLength: 255 } },
  [],
)

const officeParameter = object({ customer_id: text('The office, unless the body names it.') }, [])

const version = { etag: text('The version of the record.') }
/** The headers of an answer that is a page of a list. */
export const pageHeaders = {
  link: text('rel="next": the next page.'),
  'x-total-count': text('With count=1: how many records there are.'),
}
const createdRecord = { description: 'Created.', headers: { location: text('The address of the new record.') } }
/** The answer of a create: `{ "id" }`, with `location`. */
export const created = { ...createdRecord, ...object({ id: { type: 'integer' } }) }
const asJson = (schema: object) => ({ 'application/json': { schema } })
const wholeAsCsv = { 'text/csv': { schema: text('All records, regardless of `limit`.') } }
const notModified = { description: 'The record is unchanged.', type: 'null' }

/** The answers of `sendRecord`. @param record the schema of the record */
export const recordAnswers = (record: object) => ({ 200: { description: 'The record.', headers: version, ...record }, 304: notModified })

/** The shared schema of a record, to which the schemas of answers refer. */
export const recordSchema = ({ documentedAs, columns }: Resource): JsonSchema => ({ $id: documentedAs, ...shown(columns) })

function createAnswer({ name, documentedAs, columns, createAnswers = [] }: Resource): JsonSchema {
  if (createAnswers === 'record') return { ...createdRecord, ...object({ [name]: { $ref: `${documentedAs}#` } }) }
  const answered = columns.filter(({ wire }) => createAnswers.includes(wire)).map(({ wire, field }) => [wire, field.output])
  return { ...createdRecord, ...object({ id: { type: 'integer' }, ...Object.fromEntries(answered) }) }
}

/** The schemas of a resource's routes by verb, for the documentation and the serializers. */
export function resourceSchemas(resource: Resource) {
  const { name, alsoAccepts, documentedAs, create, update, embedded, listAs, embeddable, unwrapped, csv } = resource
  const wrappers = [name, ...alsoAccepts]
  const record = { [name]: { $ref: `${documentedAs}#` } }
  const bare = { $ref: `${documentedAs}#` }
  const wrapped = unwrapped ? bare : object({ ...record, ...shownEmbedded(embedded) })
  const always = shownEmbedded(embedded)
  const item = unwrapped ? bare : object({ ...record, ...always, ...shownEmbeddable(embeddable) }, [name, ...Object.keys(always)])
  const list = { type: 'array', items: item }
  const records = listAs ? object({ [listAs]: list }) : list
  const page = { description: 'A page.', headers: pageHeaders, ...(csv ? { content: { ...asJson(records), ...wholeAsCsv } } : records) }
  const parameters = Object.fromEntries(Object.entries(listParameters(resource)).map(([key, { input }]) => [key, input]))
  const operation = (verb: string) => ({ operationId: `${verb}${documentedAs}`, tags: [name] })

  return {
    list: { ...operation('list'), querystring: object(parameters, []), response: answerSchemas({ 200: page }, 400) },
    get: {
      ...operation('get'),
      params: idParameter,
      headers: ifNoneMatch,
      response: answerSchemas(recordAnswers(wrapped), 404),
    },
    create: {
      ...operation('create'),
      headers: idempotencyKey,
      ...(isOfficeNamed(resource) && { querystring: officeParameter }),
      body: wrappedInput(wrappers, create),
      response: answerSchemas({ 201: createAnswer(resource) }, 400, 409, 413, 415),
    },
    change: {
      ...operation('change'),
      params: idParameter,
      headers: ifMatch,
      body: wrappedInput(wrappers, update, { partial: true }),
      response: answerSchemas({ 200: ok }, 400, 404, 409, 412, 413, 415),
    },
    remove: {
      ...operation('remove'),
      params: idParameter,
      headers: ifMatch,
      response: answerSchemas({ 200: ok }, 400, 404, 409, 412, 413, 415),
    },
  } satisfies Record<string, FastifySchema & { operationId: string; tags: string[] }>
}
