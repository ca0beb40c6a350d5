import { FieldError, type JsonSchema } from './field.js'
import { type Kind, kind } from './kind.js'
import { decodeText } from './text.js'

/** A kind of field of strings. @param narrow validates a string: returns the value, or the error */
export const textual = <Value extends string>(schema: JsonSchema, narrow: (text: string) => Value | FieldError): Kind<Value> =>
  kind<Value>({
    sql: 'text',
    input: { type: 'string', ...schema },
    output: { type: 'string', ...schema },
    decode(wire) {
      const text = decodeText(wire)
      return text instanceof FieldError ? text : narrow(text)
    },
    encode: (value) => value,
    transcode: (text) => JSON.stringify(text),
  })
