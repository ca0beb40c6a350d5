import Type, { type TUnsafe } from 'typebox'
import type { Fields } from '../../fields/index.js'
import { type ValuesOf, wrappedInput } from '../../resource/index.js'
import { bodyReader } from './body.js'
import { reader } from './plain-validation.js'

/**
 * The schema of a plain route's wrapped body, read with the same kinds of fields and the same texts as a resource's: `request.body` is
 * what was sent, without its wrapper, by the names inside. Times without an offset are UTC.
 */
export function wrappedBody<const F extends Fields>(wrapper: string, fields: F): TUnsafe<ValuesOf<F>> {
  const read = bodyReader([wrapper], fields)
  return Type.Unsafe<ValuesOf<F>>({ ...wrappedInput(wrapper, fields), [reader]: (body: unknown) => read(body, 'UTC') })
}
