/** An attachment that the HTML of its message may show as an image. */
export interface InlineImage {
  readonly position: number
  readonly contentId: string | null
}

/** Sanitises HTML of unknown origin: the result runs no scripts, and loads nothing but the images of its own message. */
export interface MailHtml {
  /**
   * @param addressOf the address at which an image of the message is served
   * @param keeps whether a link may keep an address that is neither http(s) nor mailto nor tel
   */
  sanitise(
    html: string,
    images: readonly InlineImage[],
    addressOf: (position: number) => string,
    keeps?: (address: string) => boolean,
  ): string
}

/** A sanitiser of HTML that belongs to no message, and has no inline images. */
export const sanitiserOf =
  ({ sanitise }: MailHtml) =>
  (html: string): string =>
    sanitise(html, [], () => '')

/** The most bytes of HTML that is sanitised and stored as a field of a record. */
export const maxStoredBytes = 65_536

/**
 * The error of sanitised HTML that is too long; undefined where it is not. Sanitising can lengthen HTML, which could not be sent back as it is shown if only
 * the sent one were measured.
 */
export const wrongLength = (sanitised = ''): string | undefined =>
  Buffer.byteLength(sanitised) > maxStoredBytes ? `must be at most ${maxStoredBytes} bytes after it is sanitised` : undefined

const field = /^\s*\{\{\s*[\w.]+\s*\}\}/

/** A sanitiser of templates, whose links may begin with a field in double braces. Sanitise the result again after the fields are filled. */
export const templateSanitiserOf =
  ({ sanitise }: MailHtml) =>
  (html: string): string =>
    sanitise(
      html,
      [],
      () => '',
      (address) => field.test(address),
    )

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text as HTML that keeps its lines. */
export const htmlOfText = (text: string): string =>
  text === '' ? '' : `<div style="white-space:pre-wrap">${text.replace(/[&<>"]/g, (sign) => escapes[sign] as string)}</div>`
