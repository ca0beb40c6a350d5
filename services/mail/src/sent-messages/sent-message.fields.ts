import { decodeText, email, FieldError, idSchema, jsonValue, type Kind, line, paragraph } from '@caseway/kit/fields'
import Type from 'typebox'
import { maxRecipients } from './sent-recipient.js'

/** A list of texts; a single text is accepted as a list of one. */
const listOf = (entry: Pick<Kind<string>, 'input' | 'decode'>): Kind<readonly string[]> => ({
  ...(line({ max: 998 }) as unknown as Kind<readonly string[]>),
  input: { type: ['array', 'string'], items: entry.input, maxItems: maxRecipients },
  decode(wire, zone) {
    const sent = typeof wire === 'string' ? [wire].filter((text) => text !== '') : wire
    if (!Array.isArray(sent)) return new FieldError('must be a list of texts')
    if (sent.length > maxRecipients) return new FieldError(`must have at most ${maxRecipients} entries`)
    const values = sent.map((text) => entry.decode(text, zone))
    const wrong = values.findIndex((value) => value instanceof FieldError)
    return wrong === -1 ? (values as string[]) : new FieldError(`${(values[wrong] as FieldError).text} (entry ${wrong + 1})`)
  },
})

export const addresses = listOf(email)

/** Ids of files, as a JSON list. */
export const fileIds = jsonValue(Type.Array(idSchema, { maxItems: 50 }))

export const names = listOf(line({ max: 255 }))

/** The most characters, more than fit into the body of a request. */
const maxCharacters = 2 ** 20

/** HTML as its author wrote it. It is never shown here, so that any text that can be stored is accepted. */
export const html: Kind<string> = {
  ...paragraph({ max: maxCharacters }),
  input: { type: 'string', maxLength: maxCharacters },
  output: { type: 'string' },
  decode(wire) {
    const text = decodeText(wire)
    return text instanceof FieldError || text.length <= maxCharacters ? text : new FieldError(`must be at most ${maxCharacters} characters`)
  },
}
