const maxBytes = 255

/** Control characters, line, paragraph and path separators, characters that change the text direction (Unicode Bidi_Control), and lone surrogates. */
const removed = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]|\p{Cs}/gu

/**
 * The name under which an upload is stored: without characters that could mislead a reader or split a header, and shortened to 255 bytes of UTF-8 between
 * characters; the extension stays. An empty name, or one that consists of dots, becomes `file`.
 */
export function fileName(sent: string): string {
  const name = shortened(sent.replace(removed, '').trim())
  return /^\.*$/.test(name) ? 'file' : name
}

/** Keeps the extension, because programs choose by it how to open the file. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const [extension = ''] = /\.[^.]{1,16}$/u.exec(name) ?? []
  const stem = name.slice(0, name.length - extension.length)
  return `${firstBytes(stem, maxBytes - Buffer.byteLength(extension))}${extension}`
}

function firstBytes(text: string, limit: number): string {
  let sizeBytes = 0
  let prefix = ''
  for (const { segment } of graphemes.segment(text)) {
    sizeBytes += Buffer.byteLength(segment)
    if (sizeBytes > limit) break
    prefix += segment
  }
  return prefix
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
