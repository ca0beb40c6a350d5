import type { Fields } from '../../fields/index.js'
import { plainInput, type ValuesOf, wrappedInput } from '../../resource/index.js'
import { bodyReader } from './body.js'

/** The body of an action: what the document shows of it, and how it is read. */
export interface Body<Value> {
  readonly schema: object
  /** @throws AppError `invalid` with every wrong field */
  read(body: unknown, zone: string): Value
}

/**
 * A wrapped body, read with the same kinds of fields and the same texts as a resource's, by the names inside. In a `partial` one, required
 * fields may be missing, but not be blank.
 */
export function wrappedBody<const F extends Fields>(wrapper: string, fields: F): Body<ValuesOf<F>>
export function wrappedBody<const F extends Fields>(wrapper: string, fields: F, options: { partial: true }): Body<Partial<ValuesOf<F>>>
export function wrappedBody(wrapper: string, fields: Fields, { partial = false } = {}): Body<unknown> {
  return { schema: wrappedInput([wrapper], fields, { partial }), read: bodyReader([wrapper], fields, { partial }) }
}

/** The same without a wrapper, for what is no record. What is no object at all is refused as `body`. */
export function plainBody<const F extends Fields>(fields: F): Body<ValuesOf<F>> {
  const read = bodyReader(['body'], fields)
  return { schema: plainInput(fields), read: (body, zone) => read({ body }, zone) as ValuesOf<F> }
}
