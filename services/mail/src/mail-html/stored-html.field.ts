import { FieldError, type Kind, paragraph } from '@caseway/kit/fields'

const maxBytes = 65_536

const text = paragraph({ max: maxBytes })

/** A field of HTML that is sanitised before it is stored, and shown as it is stored. */
export const storedHtml: Kind<string> = {
  ...text,
  // Sanitised HTML may be longer than what was sent.
  output: { type: 'string' },
  decode(wire, zone) {
    const html = text.decode(wire, zone)
    return html instanceof FieldError || Buffer.byteLength(html) <= maxBytes ? html : new FieldError(`must be at most ${maxBytes} bytes`)
  },
}
