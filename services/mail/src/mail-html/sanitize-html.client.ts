import sanitizeHtml from 'sanitize-html'
import type { InlineImage, MailHtml } from './mail-html.js'
import { readNested } from './nested-html.js'

const shared = ['style', 'align', 'valign', 'dir', 'lang', 'title', 'width', 'height', 'bgcolor', 'color']

const tags = [
  ...['a', 'abbr', 'address', 'article', 'aside', 'b', 'bdi', 'bdo', 'blockquote', 'br', 'caption', 'center', 'cite', 'code', 'col'],
  ...['colgroup', 'dd', 'del', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure', 'font', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5'],
  ...['h6', 'header', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'section', 'small'],
  ...['span', 'strike', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var'],
]

/** Words, numbers, colours and simple functions: no URL, and no escape sequence that could write one. */
const plainValue = /^(?!.*(?:url|image|expression|attr|var|env|src))[\w\s#%.,()'"+!-]{1,200}$/i

const edges = ['', '-top', '-right', '-bottom', '-left']
const properties = [
  ...['color', 'background', 'background-color', 'font-family', 'font-size', 'font-style', 'font-weight', 'line-height', 'letter-spacing'],
  ...['text-align', 'text-decoration', 'text-transform', 'text-indent', 'vertical-align', 'white-space', 'direction'],
  ...['width', 'max-width', 'min-width', 'height', 'max-height', 'min-height', 'display', 'border-collapse', 'border-spacing'],
  ...['border-radius', 'border-color', 'border-style', 'border-width', 'list-style-type', 'table-layout', 'word-break'],
  ...edges.flatMap((edge) => [`padding${edge}`, `margin${edge}`, `border${edge}`]),
]

const embedded = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z0-9+/=\s]*$/i

/** The id that a `cid:` address names (RFC 2392). */
function contentIdOf(address: string): string | undefined {
  const [, id] = /^cid:(.+)$/i.exec(address.trim()) ?? []
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return id
  }
}

/** The address that an image may keep: one of the message's own images, or a `data:` URL. Undefined for anything that would be loaded from elsewhere. */
function imageAddress(address: string, images: readonly InlineImage[], addressOf: (position: number) => string): string | undefined {
  const contentId = contentIdOf(address)
  const image = contentId === undefined ? undefined : images.find((image) => image.contentId === contentId)
  if (image) return addressOf(image.position)
  return embedded.test(address) ? address : undefined
}

/** Sanitises with the allow-list of sanitize-html. HTML that is nested too deep loses all its tags. */
export const sanitizedMailHtml: MailHtml = {
  sanitise: (html, images, addressOf, keeps = () => false) =>
    readNested(html, (read, limit) =>
      sanitizeHtml(read, {
        ...limit,
        allowedTags: tags,
        allowedAttributes: {
          '*': shared,
          a: ['href', 'rel', 'target'],
          img: ['src', 'alt'],
          font: ['size', 'face'],
          table: ['border', 'cellpadding', 'cellspacing'],
          td: ['colspan', 'rowspan'],
          th: ['colspan', 'rowspan', 'scope'],
          ol: ['start', 'type'],
        },
        allowedStyles: { '*': Object.fromEntries(properties.map((property) => [property, [plainValue]])) },
        allowedSchemes: ['http', 'https', 'mailto', 'tel'],
        allowedSchemesByTag: { img: ['data'] },
        allowProtocolRelative: false,
        nonTextTags: [
          'script',
          'style',
          'textarea',
          'option',
          'noscript',
          'title',
          'template',
          'svg',
          'math',
          'xmp',
          'noembed',
          'noframes',
        ],
        nestingLimit: 100,
        transformTags: {
          a: (tagName, { href = '', target: _, rel: __, ...attribs }) => ({
            tagName,
            // A relative address would be one of ours.
            attribs: {
              ...attribs,
              ...((/^\s*(?:https?|mailto|tel):/i.test(href) || keeps(href)) && {
                href,
                target: '_blank',
                rel: 'noopener noreferrer nofollow',
              }),
            },
          }),
          img(tagName, { src = '', ...attribs }) {
            const address = imageAddress(src, images, addressOf)
            return { tagName, attribs: { ...attribs, ...(address !== undefined && { src: address }) } }
          },
        },
      }),
    ),
}
