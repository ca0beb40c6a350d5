/** What a spreadsheet would take for the beginning of a formula (OWASP, CSV Injection), also as Unicode writes it at full width. */
const formula = /^[-=+@\t\r＝＋－＠]/
const special = /[",\r\n]/
const quote = 0x22

/** A text of so many UTF-16 units needs at most so many bytes: three of UTF-8 for each, or two for a quote; and what is around it. */
const bytesOf = (length: number) => 3 * length + 4

/**
 * Writes lines of CSV by RFC 4180 as csv-stringify does with `escape_formulas` and `quote_record_delimiter`, straight into the bytes that are sent: the
 * strings that the library makes of a text with many quotes need ten times its memory, and an export has millions of them.
 */
export function csvWriter(): (lines: readonly (readonly (string | null)[])[]) => Buffer {
  let bytes = Buffer.alloc(0)
  return (lines) => {
    const size = lines.reduce((sum, texts) => texts.reduce((sum, text) => sum + bytesOf(text?.length ?? 0), sum + 2), 0)
    if (bytes.length < size) bytes = Buffer.allocUnsafe(size)
    return Buffer.from(
      bytes.subarray(
        0,
        lines.reduce((at, texts) => writeLine(bytes, at, texts), 0),
      ),
    )
  }
}

function writeLine(bytes: Buffer, begin: number, texts: readonly (string | null)[]): number {
  let at = begin
  for (const [index, text] of texts.entries()) {
    if (index > 0) at += bytes.write(',', at, 'latin1')
    if (text !== null) at = writeText(bytes, at, text)
  }
  return at + bytes.write('\r\n', at, 'latin1')
}

/** @returns where the text ends */
function writeText(bytes: Buffer, at: number, text: string): number {
  const isQuoted = special.test(text)
  let end = isQuoted ? bytes.writeUInt8(quote, at) : at
  if (formula.test(text)) end += bytes.write("'", end, 'latin1')
  const begin = end
  end += bytes.write(text, end, 'utf8')
  return isQuoted ? bytes.writeUInt8(quote, doubleQuotes(bytes, begin, end)) : end
}

/** Doubles each quote from `begin` to `end`, from the last to the first. @returns where the bytes end then */
function doubleQuotes(bytes: Buffer, begin: number, end: number): number {
  let quotes = 0
  for (let i = begin; i < end; i++) if (bytes[i] === quote) quotes++
  let to = end + quotes
  for (let i = end - 1; to > i + 1; i--) {
    bytes[--to] = bytes[i] as number
    if (bytes[i] === quote) bytes[--to] = quote
  }
  return end + quotes
}
