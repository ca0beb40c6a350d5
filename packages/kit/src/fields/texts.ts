import { FieldError } from './field.js'
import { lengthOf, wrongInLine, wrongInParagraph } from './text.js'
import { textual } from './textual.js'
import { isZone } from './time.js'

interface Length {
  /** In characters (code points). */
  max: number
  min?: number
}

const bounded = (description: string, { max, min = 0 }: Length, refuse: (text: string) => FieldError | undefined) =>
  textual({ description, maxLength: max, ...(min > 0 && { minLength: min }) }, (value) => {
    const length = lengthOf(value)
    if (length > max) return new FieldError(`must be at most ${max} characters`)
    if (length < min) return new FieldError(min === 1 ? 'must not be empty' : `must be at least ${min} characters`)
    return refuse(value) ?? value
  })

/**
 * One line of text: a name, a subject, a phone number. Control characters (Unicode category Cc, line breaks and tabs included), line and
 * paragraph separators, and bidirectional embeddings, overrides and isolates are refused.
 */
export const line = (length: Length) => bounded('One line without control characters.', length, wrongInLine)

/** Text of several lines: as `line`, but LF, CR LF and TAB are allowed. */
export const paragraph = (length: Length) => bounded('Line breaks and tabs are the only control characters.', length, wrongInParagraph)

/** Six hexadecimal digits, no leading `#`. */
export const hexColor = textual({ pattern: '^[0-9a-fA-F]{6}$' }, (value) =>
  /^[0-9a-fA-F]{6}$/.test(value) ? value : new FieldError('must be six hexadecimal digits'),
)

const longestUrl = 2048
const tooLong = (value: string) => (value.length > longestUrl ? new FieldError(`must be at most ${longestUrl} characters`) : undefined)

const isWebAddress = (value: string) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) && !wrongInLine(value)

/** An http or https URL (URL Standard) of at most 2,048 characters. */
export const webAddress = textual(
  { description: 'An address with http or https.', maxLength: longestUrl },
  (value) => tooLong(value) ?? (isWebAddress(value) ? value : new FieldError('must be an address that begins with http:// or https://')),
)

/** Host names and IP addresses. URLs allow further characters, such as `*` and `;`, which have a meaning in lists of origins (CSP Level 3, 2.3.1). */
const hosts = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/**
 * An http or https origin (URL Standard) as browsers send it in `Origin`: `https://shop.example.com`. Input is normalized: it may be in upper case or Unicode,
 * with the default port, and end with a slash; at most 2,048 characters.
 */
export const webOrigin = textual({ description: 'Scheme, host and port: `https://shop.example.com`.', maxLength: longestUrl }, (value) => {
  const wrong = tooLong(value)
  if (wrong) return wrong
  const refused = new FieldError('must be an origin, as https://shop.example.com')
  if (!isWebAddress(value)) return refused
  const { origin, href, hostname } = new URL(value)
  return href === `${origin}/` && hosts.test(hostname) ? origin : refused
})

/** The IANA name of a time zone. */
export const zone = textual({ maxLength: 64 }, (value) => (isZone(value) ? value : new FieldError('must be the IANA name of a time zone')))
