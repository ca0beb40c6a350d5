/** Of tags within each other: nobody writes so many, and a parser takes time with the square of them. */
const mostDepth = 1000

/** Is told of each tag by what reads HTML, whose work it ends with an error. */
interface DepthLimit {
  onOpenTag(): void
  onCloseTag(): void
}

class NestedTooDeep extends Error {}

function depthLimit(): DepthLimit {
  let depth = 0
  return {
    onOpenTag() {
      depth++
      if (depth > mostDepth) throw new NestedTooDeep()
    },
    onCloseTag() {
      depth--
    },
  }
}

/** False of HTML with fewer tags than may be within each other, whose depth need not be looked at. */
export const mayBeNestedTooDeep = (html: string): boolean => html.split('<', mostDepth + 2).length > mostDepth + 1

/** Whatever could begin a tag goes, so that nothing is nested in what is left. */
const withoutTags = (html: string) => html.replace(/<[^>]*>?/g, ' ').replace(/\s+/g, ' ')

/** Reads HTML; what is nested too deep without its tags. */
export function readNested(html: string, read: (html: string, limit: DepthLimit) => string): string {
  try {
    return read(html, depthLimit())
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error
    return read(withoutTags(html), depthLimit())
  }
}
