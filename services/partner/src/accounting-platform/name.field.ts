import { FieldError, type Kind, line } from '@caseway/kit/fields'

/** A name of a company or a client; blank text is refused, as on the cards of offices. */
export function nameOf(length: { readonly max: number }): Kind<string> {
  const text = line({ ...length, min: 1 })
  return {
    ...text,
    decode: (wire, zone) =>
      typeof wire === 'string' && wire.trim() === '' ? new FieldError('must not be empty') : text.decode(wire, zone),
  }
}
