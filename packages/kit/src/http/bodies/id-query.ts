import Type from 'typebox'
import type { Id } from '../../caller/index.js'
import { idText, required } from '../../fields/index.js'
import type { Camel } from '../../resource/index.js'
import { bodyReader } from './body.js'

/**
 * The query of an action whose required parameters are ids. `schema` is the `query` of the action; `read` returns the ids by their camelCase names, `issue_id`
 * as `issueId`, and throws AppError `invalid` with a text for each parameter that is not an id.
 */
export function idQuery<const Wire extends string>(...parameters: readonly Wire[]) {
  const read = bodyReader(['query'], Object.fromEntries(parameters.map((wire) => [wire, required(idText)])))
  return {
    schema: Type.Object(Object.fromEntries(parameters.map((wire) => [wire, Type.String()]))),
    read: (query: unknown) => read({ query }, 'UTC') as { readonly [Parameter in Wire as Camel<Parameter>]: Id },
  }
}
