import { type Kind, line } from '@caseway/kit/fields'

const text = line({ max: 255, min: 1 })

/** An id of the accounting platform, of a company or a client: its own text, or a number as some platforms write it. */
export const externalId: Kind<string> = {
  ...text,
  input: { ...text.input, type: ['string', 'integer'] },
  decode: (wire, zone) => text.decode(Number.isSafeInteger(wire) ? String(wire) : wire, zone),
}
