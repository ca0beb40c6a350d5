/** The most levels of nested tags: nobody writes more, and parsing takes time quadratic in them. */
const maxDepth = 1000

/** Callbacks of an HTML parser that count the depth, and throw when it is exceeded. */
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
      if (depth > maxDepth) throw new NestedTooDeep()
    },
    onCloseTag() {
      depth--
    },
  }
}

/** False for HTML with so few tags that its depth need not be measured. */
export const mayBeNestedTooDeep = (html: string): boolean => html.split('<', maxDepth + 2).length > maxDepth + 1

/** Removes everything that could begin a tag, so that nothing is nested in the rest. */
const withoutTags = (html: string) => html.replace(/<[^>]*>?/g, ' ').replace(/\s+/g, ' ')

/** Calls `read` with HTML; where it is nested too deep, again with the text without its tags. */
export function readNested(html: string, read: (html: string, limit: DepthLimit) => string): string {
  try {
    return read(html, depthLimit())
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error
    return read(withoutTags(html), depthLimit())
  }
}
