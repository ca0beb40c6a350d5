const maxBytes = 255

/** Control characters, line and paragraph separators, separators of paths, and what changes the direction of the text (Unicode Bidi_Control). */
const removed = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]|\p{Cs}/gu

/**
 * The name of an upload as it is kept: without what could mislead whoever reads it or split a header, at most 255 bytes of UTF-8, in whole
 * characters. An empty name, or one of dots alone, becomes `file`.
 */
export function fileName(sent: string): string {
  const name = shortened(sent.replace(removed, '').trim())
  return /^\.*$/.test(name) ? 'file' : name
}

/** The extension of a long name stays: programs choose by it. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const [extension = ''] = /\.[^.]{1,16}$/u.exec(name) ?? []
  const stem = name.slice(0, name.length - extension.length)
  return `${firstBytes(stem, maxBytes - Buffer.byteLength(extension))}${extension}`
}

function firstBytes(text: string, limit: number): string {
  let sizeBytes = 0
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    sizeBytes += Buffer.byteLength(segment)
    if (sizeBytes > limit) break
    kept += segment
  }
  return kept
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
