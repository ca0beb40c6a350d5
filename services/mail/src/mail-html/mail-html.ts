/** An image of a message that its HTML shows. */
export interface InlineImage {
  readonly position: number
  readonly contentId: string | null
}

/** Makes HTML from strangers fit to be shown: it runs nothing, and loads nothing but the images of its own message. */
export interface MailHtml {
  /** @param addressOf the address below which an image of the message is served */
  sanitise(html: string, images: readonly InlineImage[], addressOf: (position: number) => string): string
}

/** For HTML that stands in no message, and has no images of one. */
export const sanitiserOf =
  ({ sanitise }: MailHtml) =>
  (html: string): string =>
    sanitise(html, [], () => '')

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text as HTML that keeps its lines. */
export const htmlOfText = (text: string): string =>
  text === '' ? '' : `<div style="white-space:pre-wrap">${text.replace(/[&<>"]/g, (sign) => escapes[sign] as string)}</div>`
