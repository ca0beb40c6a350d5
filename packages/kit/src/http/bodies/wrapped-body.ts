import Type, { type TUnsafe } from 'typebox'
import { type Camel, type Fields, type ValueOf, wrappedInput } from '../../resource/index.js'
import { bodyReader } from './body.js'
import { reader } from './plain-validation.js'

type Body<F extends Fields, Required extends string> = {
  [Wire in keyof F & string as Wire extends Required ? Camel<Wire> : never]: ValueOf<F[Wire]>
} & { [Wire in keyof F & string as Wire extends Required ? never : Camel<Wire>]?: ValueOf<F[Wire]> }

/**
 * The schema of a plain route's wrapped body, read with the same kinds of fields and the same texts as a resource's: `request.body` is
 * what was sent, without its wrapper, by the names inside. Times without an offset are UTC.
 */
export function wrappedBody<const F extends Fields, const Required extends keyof F & string = never>(
  wrapper: string,
  fields: F,
  { required = [] }: { required?: readonly Required[] } = {},
): TUnsafe<Body<F, Required>> {
  const names = Object.keys(fields)
  const read = bodyReader({ wrappers: [wrapper], fields, accepts: names, required })
  const schema = { ...wrappedInput(wrapper, fields, names, required), [reader]: (body: unknown) => read(body, 'UTC') }
  return Type.Unsafe<Body<F, Required>>(schema)
}
