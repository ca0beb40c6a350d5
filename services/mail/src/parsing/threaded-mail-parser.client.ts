import type { MailHeaders } from '../received-messages/arrivals/arrived-message.js'
import { autoKindOf } from '../received-messages/arrivals/auto-kind.js'
import { limits, type MailParser } from './mail-parser.js'
import type { HeaderFields, ParsedMail } from './parsed-mail.js'
import { parsingThreads } from './parsing-threads.client.js'

/** The result of a thread (parsing-worker.client.ts), which cannot contain functions. */
interface ReadHeader extends HeaderFields {
  readonly lines: readonly (readonly [name: string, value: string])[]
}
type ReadMessage = ReadHeader & Omit<ParsedMail, 'autoKind' | 'date'> & { readonly dateMs: number | null }

/** Parses in worker threads, so that no message can block or end the service. @param threads how many messages are parsed at once */
export function threadedMailParser(threads = 2): MailParser {
  const pool = parsingThreads(threads)
  const readBlocks = async (blocks: readonly Uint8Array[]) => {
    const bounded = blocks.map((block) => block.subarray(0, limits.headerBytes))
    const read = (await pool.run({ blocks: bounded }, limits.timeoutMs)) as ReadHeader[]
    return read.map(headersOf)
  }

  return {
    async headers(blocks) {
      if (blocks.length === 0) return []
      // One header that takes too long must not cost the others their results.
      return readBlocks(blocks).catch(() =>
        Promise.all(
          blocks.map((block) =>
            readBlocks([block]).then(
              ([one]) => one ?? none,
              () => none,
            ),
          ),
        ),
      )
    },
    async message(source) {
      const read = (await pool.run({ source }, limits.timeoutMs, ownMemoryOf(source)).catch(() => null)) as ReadMessage | null
      if (!read) return null
      const { lines, dateMs, ...parsed } = read
      return { ...parsed, date: dateMs === null ? null : new Date(dateMs), autoKind: autoKindOf(headersOf(read)) }
    },
    attachments: (source, positions) =>
      pool.run({ source, positions }, limits.timeoutMs).catch(() => null) as Promise<(Uint8Array | null)[] | null>,
    close: pool.close,
  }
}

/** The buffer of the bytes, if they are all of it: only then it can be transferred to a thread. */
const ownMemoryOf = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []

const headersOf = ({ lines, ...header }: ReadHeader): MailHeaders => ({
  ...header,
  get: (name) => lines.flatMap(([key, value]) => (key === name.toLowerCase() ? value : [])),
})

const none = headersOf({ from: null, to: [], cc: [], subject: '', messageId: null, inReplyTo: null, references: [], lines: [] })
