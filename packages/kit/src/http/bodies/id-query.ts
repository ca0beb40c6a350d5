import Type from 'typebox'
import type { Id } from '../../caller/index.js'
import { idText, required } from '../../fields/index.js'
import type { Camel } from '../../resource/index.js'
import { bodyReader } from './body.js'

/**
 * The query of an action that names records by these parameters, all of them required: `schema` is the action's `query`, and `read` gives
 * the ids by their names inside, `issue_id` as `issueId`.
 * @throws AppError `invalid` with every parameter that is no id
 */
export function idQuery<const Wire extends string>(...parameters: readonly Wire[]) {
  const read = bodyReader(['query'], Object.fromEntries(parameters.map((wire) => [wire, required(idText)])))
  return {
    schema: Type.Object(Object.fromEntries(parameters.map((wire) => [wire, Type.String()]))),
    read: (query: unknown) => read({ query }, 'UTC') as { readonly [Parameter in Wire as Camel<Parameter>]: Id },
  }
}
