import Type from 'typebox'
import { type Field, FieldError } from '../../fields/index.js'

/** The schema of an optional query parameter of an action, which refuses what `field` refuses: one answer names all invalid parameters, unknown ones as well. */
export function parameter({ decode }: Pick<Field, 'decode'>, description: string) {
  const refusal = (sent: string) => {
    const value = decode(sent, 'UTC')
    return value instanceof FieldError ? value.text : undefined
  }
  const isValid = (sent: string) => refusal(sent) === undefined
  return Type.Optional(Type.Refine(Type.String({ description }), isValid, (sent) => refusal(sent) ?? ''))
}
