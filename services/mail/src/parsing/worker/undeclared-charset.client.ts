import { isUtf8 } from 'node:buffer'
import { Transform } from 'node:stream'
import type { MailParser } from 'mailparser'
import { charsetOf, decoded } from './message-bytes.ts'

/** What the library does not publish. */
interface Internals {
  createNode(part: { readonly charset: string | false }): { readonly contentType: string | false; charset?: string }
  readonly decoder: { decodeStream(charset: string): NodeJS.ReadWriteStream }
}

/** The name by which the library asks for the decoder of a text that names no charset. */
const undeclared = 'x-undeclared'

/** Programs name US-ASCII by default, also for text that has other characters. */
const isAscii = (charset: string) => /^(us-)?ascii$/i.test(charset)

/** Decodes a text that names no charset, or US-ASCII, as UTF-8 or, where it is not valid UTF-8, in the charset that it names itself (`<meta charset>`) or else in `charset`. */
function decoderOf(charset: () => string | undefined): Transform {
  const chunks: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
    flush(done) {
      const bytes = Buffer.concat(chunks)
      const named = isUtf8(bytes) ? undefined : (charsetOf(bytes) ?? charset())
      done(null, named === undefined ? bytes : decoded(bytes, named))
    },
  })
}

/** Makes the parser decode the texts that name no charset or US-ASCII, which it takes for UTF-8. @param charset finds the first that the message names */
export function decodeUndeclared(parser: MailParser, charset: () => string | undefined): void {
  const internals = parser as unknown as Internals
  const { decoder } = internals
  const createNode = internals.createNode.bind(parser)
  const decodeStream = decoder.decodeStream.bind(decoder)
  Object.assign(internals, {
    createNode(part: Parameters<typeof createNode>[0]) {
      const node = createNode(part)
      if ((!part.charset || isAscii(part.charset)) && ['text/plain', 'text/html'].includes(node.contentType || ''))
        node.charset = undeclared
      return node
    },
    decoder: { decodeStream: (name: string) => (name === undeclared ? decoderOf(charset) : decodeStream(name)) },
  })
}
