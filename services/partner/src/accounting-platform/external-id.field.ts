import { type Kind, line } from '@caseway/kit/fields'

const text = line({ max: 255, min: 1 })

/** The id of a company or a client on the accounting platform: text, or an integer, which is read as its decimal text. */
export const externalId: Kind<string> = {
  ...text,
  input: { ...text.input, type: ['string', 'integer'] },
  decode: (wire, zone) => text.decode(Number.isSafeInteger(wire) ? String(wire) : wire, zone),
}
