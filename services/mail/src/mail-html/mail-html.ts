/** An image of a message that its HTML shows. */
export interface InlineImage {
  readonly position: number
  readonly contentId: string | null
}

/** Makes HTML from strangers fit to be shown: it runs nothing, and loads nothing but the images of its own message. */
export interface MailHtml {
  /**
   * @param addressOf the address below which an image of the message is served
   * @param keeps whether a link keeps an address of another form than those of the web, of mail and of telephones
   */
  sanitise(
    html: string,
    images: readonly InlineImage[],
    addressOf: (position: number) => string,
    keeps?: (address: string) => boolean,
  ): string
}

/** For HTML that stands in no message, and has no images of one. */
export const sanitiserOf =
  ({ sanitise }: MailHtml) =>
  (html: string): string =>
    sanitise(html, [], () => '')

const field = /^\s*\{\{\s*[\w.]+\s*\}\}/

/** For HTML with fields in double braces. A link may begin with one: once it has its value it is to be sanitised as any other. */
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
