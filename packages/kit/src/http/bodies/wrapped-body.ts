import type { Fields } from '../../fields/index.js'
import { plainInput, type ValuesOf, wrappedInput } from '../../resource/index.js'
import { bodyParser, bodyReader, type ReadBody } from './body.js'

/** The body of an action: its schema for the documentation, and its parser. */
export interface Body<Value> {
  readonly schema: object
  /** @throws AppError `invalid` with a text for each invalid field */
  read(body: unknown, zone: string): Value
}

/**
 * A wrapped body, decoded like that of a resource: values by their camelCase names. In a `partial` body, required fields may be missing, but not blank.
 */
export function wrappedBody<const F extends Fields>(wrapper: string, fields: F): Body<ValuesOf<F>>
export function wrappedBody<const F extends Fields>(wrapper: string, fields: F, options: { partial: true }): Body<Partial<ValuesOf<F>>>
export function wrappedBody(wrapper: string, fields: Fields, { partial = false } = {}): Body<unknown> {
  return { schema: wrappedInput([wrapper], fields, { partial }), read: bodyReader([wrapper], fields, { partial }) }
}

/** As `wrappedBody`, but with the invalid fields beside the others, for a `bodyWriter`. */
export const parsedBody = (wrapper: string, fields: Fields): Body<ReadBody> => ({
  schema: wrappedInput([wrapper], fields),
  read: bodyParser([wrapper], fields),
})

/** A body without a wrapper. One that is not an object is refused with an error of the field `body`. */
export function plainBody<const F extends Fields>(fields: F): Body<ValuesOf<F>> {
  const read = bodyReader(['body'], fields)
  return { schema: plainInput(fields), read: (body, zone) => read({ body }, zone) as ValuesOf<F> }
}
