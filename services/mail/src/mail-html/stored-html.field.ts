import { FieldError, type Kind, paragraph } from '@caseway/kit/fields'
import { maxStoredBytes } from './mail-html.js'

const text = paragraph({ max: maxStoredBytes })

/** A field of HTML that is sanitised before it is stored, and shown as it is stored. */
export const storedHtml: Kind<string> = {
  ...text,
  decode(wire, zone) {
    const html = text.decode(wire, zone)
    return html instanceof FieldError || Buffer.byteLength(html) <= maxStoredBytes
      ? html
      : new FieldError(`must be at most ${maxStoredBytes} bytes`)
  },
}
