/** The longest line in bytes. RFC 1939, 3 allows 512; some servers send more. */
const longestLine = 16_384

/** Splits the bytes that a POP3 server sends into lines and multi-line responses. */
export interface Pop3Replies {
  /** Adds received bytes. @throws Error when a line exceeds `longestLine` */
  push(chunk: Buffer): void
  /** The next line without its end; undefined until it has arrived completely. */
  line(): string | undefined
  /** Declares that a multi-line response follows. */
  begin(): void
  /** The next part of a multi-line response, without end mark and byte-stuffing (RFC 1939, 3); null at its end, undefined until more has arrived. */
  part(): Buffer | null | undefined
  /** The number of unread bytes. */
  size(): number
}

const lineEnd = Buffer.from('\r\n')
const stuffed = Buffer.from('\r\n.')
const [cr, lf] = [13, 10]
const none = Buffer.alloc(0)

export function pop3Replies(): Pop3Replies {
  let chunks: Buffer[] = []
  let size = 0
  /** The bytes of a multi-line response that cannot be interpreted before more arrive; null outside of a response. */
  let held: Buffer | null = null
  let isFirst = true

  const all = () => {
    const [first = none, ...others] = chunks
    if (others.length === 0) return first
    const joined = Buffer.concat(chunks)
    chunks = [joined]
    return joined
  }
  const keep = (rest: Buffer) => {
    chunks = rest.length > 0 ? [rest] : []
    size = rest.length
  }
  /** Removes the line end that `begin` has put before the response, so that a dot at the beginning of its first line is recognised. */
  const withoutFirstEnd = (bytes: Buffer) => {
    if (!isFirst || bytes.length === 0) return bytes
    isFirst = false
    return bytes.subarray(lineEnd.length)
  }

  return {
    size: () => size,
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (held === null && size > longestLine && !all().subarray(0, longestLine).includes(lf)) throw new Error('A line does not end.')
    },
    line() {
      const bytes = all()
      const end = bytes.indexOf(lf)
      if (end < 0) return undefined
      keep(bytes.subarray(end + 1))
      return bytes.subarray(0, end > 0 && bytes[end - 1] === cr ? end - 1 : end).toString()
    },
    begin() {
      held = lineEnd
      isFirst = true
    },
    part() {
      if (held === null) return null
      if (size === 0) return undefined
      const { out, rest, isEnd } = unstuffed(Buffer.concat([held, ...chunks]))
      held = isEnd ? null : rest
      keep(isEnd ? rest : none)
      const bytes = withoutFirstEnd(out)
      if (bytes.length > 0) return bytes
      return isEnd ? null : undefined
    },
  }
}

interface Unstuffed {
  readonly out: Buffer
  readonly isEnd: boolean
  /** After the end mark the bytes that follow it, otherwise bytes that cannot be interpreted yet. */
  readonly rest: Buffer
}

/** Removes the dot that a server puts before each line that begins with one, up to the line that consists of a dot alone. */
function unstuffed(bytes: Buffer): Unstuffed {
  const parts: Buffer[] = []
  let from = 0
  const upTo = (end: number) => Buffer.concat([...parts, bytes.subarray(from, end)])
  for (;;) {
    const at = bytes.indexOf(stuffed, from)
    if (at < 0) {
      const end = bytes.length - (bytes.at(-1) === cr ? 1 : bytes.subarray(-2).equals(lineEnd) && bytes.length - from >= 2 ? 2 : 0)
      return { out: upTo(Math.max(from, end)), isEnd: false, rest: bytes.subarray(Math.max(from, end)) }
    }
    const after = bytes.subarray(at + stuffed.length, at + stuffed.length + lineEnd.length)
    if (after.equals(lineEnd))
      return { out: upTo(at + lineEnd.length), isEnd: true, rest: bytes.subarray(at + stuffed.length + lineEnd.length) }
    if (lineEnd.subarray(0, after.length).equals(after)) return { out: upTo(at), isEnd: false, rest: bytes.subarray(at) }
    parts.push(bytes.subarray(from, at + lineEnd.length))
    from = at + stuffed.length
  }
}
