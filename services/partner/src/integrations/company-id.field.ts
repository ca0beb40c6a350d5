import { type Kind, line } from '@caseway/kit/fields'

const text = line({ max: 255, min: 1 })

/** The id of a company on the accounting platform: its own text, or a number as some platforms write it. */
export const companyIdField: Kind<string> = {
  ...text,
  input: { ...text.input, type: ['string', 'integer'] },
  decode: (wire, zone) => text.decode(Number.isSafeInteger(wire) ? String(wire) : wire, zone),
}
