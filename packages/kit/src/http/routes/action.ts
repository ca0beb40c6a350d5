import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchemaCompiler, HTTPMethods } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Audience, Caller, Client, Employee, EmployeeRole, Id, Role } from '../../caller/index.js'
import { object } from '../../resource/index.js'
import { compilePlainSchema } from '../bodies/plain-validation.js'
import type { Body } from '../bodies/wrapped-body.js'
import { answerSchemas, type ErrorStatus } from '../documents/answers.js'
import { idempotencyKey, idParameter, ifMatch, ifNoneMatch } from '../documents/resource-schemas.js'
import { expectedVersion } from './etag.js'
import { idParam } from './id-param.js'
import type { Routes, Space } from './routes.js'
import { answerCreated, done } from './verbs.js'

/** A resource, or anything else with a name and a path. Without an audience it may be added to both route spaces. */
interface Subject<A extends Audience> {
  readonly name: string
  readonly path: string
  readonly audience?: A
}

type CallerAt<A extends Audience> = Audience extends A ? Caller : A extends 'client' ? Client : Employee
type RoleAt<A extends Audience> = Audience extends A ? Role : A extends 'client' ? 'client' : EmployeeRole

export interface ActionOptions<Path extends string, Value, Query extends TSchema, A extends Audience>
  extends Pick<FastifyContextConfig, 'right' | 'idempotency' | 'sealedBy' | 'allowsExpiredPassword' | 'allowsMissingSecondFactor'> {
  readonly method: HTTPMethods
  /** Below the path of the resource; '' is that path itself. `:id` is the id of a record. */
  readonly path: Path
  readonly operationId: string
  readonly summary?: string
  readonly body?: Body<Value>
  /** A TypeBox schema of an object. Other parameters are refused. */
  readonly query?: Query
  /** Whether the action honours entity tags: `If-None-Match` of a GET (`run` answers by `sendRecord`), `If-Match` of any other method (`Call.expected`). */
  readonly versioned?: boolean
  /** The answers of this action by status, such as `ok` and `created`, and errors of an unusual shape. Each must have a description. */
  readonly answers: Readonly<Record<number, object>>
  /** The roles that may call it. Default every employee, or every client. */
  readonly roles?: readonly RoleAt<A>[]
  /** Errors of the usual shape that do not follow from method, path and body: for instance 409 for a PUT that may conflict. */
  readonly errors?: readonly ErrorStatus[]
}

/** A validated request. */
export interface Call<A extends Audience, Path extends string, Value, Query extends TSchema> {
  readonly caller: CallerAt<A>
  readonly id: Path extends `${string}:id${string}` ? Id : undefined
  readonly body: Value
  readonly query: Static<Query>
  /** The version that `If-Match` names, for a `versioned` action; undefined where any will do. */
  readonly expected: number | undefined
  readonly reply: FastifyReply
  /** The route space that was called. */
  readonly space: Space
}

/**
 * A route of a resource other than its five verbs. Token, role, id and body are checked before `run`. The documentation has the `answers`, and the errors that
 * follow from method, path and body. Where `run` returns nothing, the answer is `{ "status": "OK" }`; an id (bigint) becomes 201 with `{ "id" }` and
 * `location`; anything else is the body. `run` may also send the answer itself by `reply`.
 */
export const action =
  <const Path extends string, Value = undefined, Query extends TSchema = TSchema, A extends Audience = Audience>(
    subject: Subject<A>,
    options: ActionOptions<Path, Value, Query, A>,
    run: (call: Call<A, Path, Value, Query>) => Promise<unknown>,
  ): Routes =>
  (app) => {
    const { method, path, operationId, summary, body, query, versioned, answers, errors, ...config } = options
    const { space } = app
    if (subject.audience && space.audience !== subject.audience) throw new Error(`${operationId} is not for the ${space.audience} address.`)
    const url = `/${subject.path}${path && `/${path}`}`
    const hasId = url.includes('/:id')
    const schema = {
      operationId,
      tags: [subject.name],
      ...(summary !== undefined && { summary }),
      ...(hasId && { params: idParameter }),
      headers: headersOf(options),
      ...(query && { querystring: { ...query, additionalProperties: false } }),
      ...(body && { body: body.schema }),
      response: answerSchemas(answers, ...errorsOf(options, hasId), ...(errors ?? [])),
    }
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = request.caller as CallerAt<A>
      const id = hasId ? idParam(request) : undefined
      const value = body?.read(request.body, await space.zones(caller.customerId))
      const expected = versioned ? expectedVersion(request.headers['if-match']) : undefined
      const call = { caller, id, body: value, query: request.query, expected, reply, space } as Call<A, Path, Value, Query>
      const result = await run(call)
      // Awaiting a reply waits until it has been sent, and gives undefined.
      if (reply.sent) return reply
      return typeof result === 'bigint' ? answerCreated(reply, space, subject.path, result) : (result ?? done)
    }
    app.route({ method, url, schema, config, validatorCompiler: onlyQueries, handler })
  }

/** The part of the options from which headers and errors follow. */
type Declared = Pick<ActionOptions<string, unknown, TSchema, never>, 'method' | 'query' | 'versioned' | 'idempotency'>

/** The headers that the action honours. */
function headersOf({ method, versioned, idempotency }: Declared) {
  const version = method === 'GET' ? ifNoneMatch : ifMatch
  const isRepeatable = method === 'POST' && idempotency !== 'none'
  const honoured = [...(versioned ? [version] : []), ...(isRepeatable ? [idempotencyKey] : [])]
  return object(Object.assign({}, ...honoured.map(({ properties }) => properties)), [])
}

/** The errors that follow from method, path and query. Any request but a GET may have an invalid body, even where the action takes none. */
function errorsOf({ method, query, versioned }: Declared, hasId: boolean) {
  const errors: ErrorStatus[] = []
  const mayHaveBody = method !== 'GET'
  if (query || mayHaveBody) errors.push(400)
  if (mayHaveBody) errors.push(413, 415)
  if (hasId) errors.push(404)
  if (method === 'POST') errors.push(409)
  if (versioned && mayHaveBody) errors.push(412)
  return errors
}

const accept = () => true

/** Fastify validates the query alone. The handler validates the id and then the body, which needs the time zone of the caller's office. */
const onlyQueries: FastifySchemaCompiler<TSchema> = (part) => (part.httpPart === 'querystring' ? compilePlainSchema(part) : accept)
