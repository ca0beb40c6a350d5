/** A line of a reply has at most 512 bytes (RFC 1939, 3); some servers take more. */
const longestLine = 16_384

/** Cuts the bytes that a POP3 server sends into lines, and into answers of several lines. */
export interface Pop3Replies {
  /** More bytes have come. @throws Error when a line does not end */
  push(chunk: Buffer): void
  /** The next line without its end; undefined when it has not come as a whole. */
  line(): string | undefined
  /** The lines of an answer without their end mark and its stuffing (RFC 1939, 3), as they are; undefined when it has not come as a whole. */
  lines(): Buffer | undefined
  /** Bytes that nobody has read. */
  size(): number
}

const mark = Buffer.from('\r\n.\r\n')
const [dot, cr, lf] = [46, 13, 10]

export function pop3Replies(): Pop3Replies {
  let chunks: Buffer[] = []
  let size = 0
  let awaitsLine = true

  const all = () => {
    const [first = Buffer.alloc(0), ...others] = chunks
    if (others.length === 0) return first
    const joined = Buffer.concat(chunks)
    chunks = [joined]
    return joined
  }
  const keep = (rest: Buffer) => {
    chunks = rest.length > 0 ? [rest] : []
    size = rest.length
  }
  /** Whether an answer of several lines has come: nothing comes after its end mark before the next command. */
  const isWhole = () => {
    const tail = Buffer.concat(chunks.slice(-mark.length)).subarray(-mark.length)
    return tail.equals(mark) || (size === 3 && tail.equals(mark.subarray(2)))
  }

  return {
    size: () => size,
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (awaitsLine && size > longestLine && !all().subarray(0, longestLine).includes(lf)) throw new Error('A line does not end.')
    },
    line() {
      awaitsLine = true
      const bytes = all()
      const end = bytes.indexOf(lf)
      if (end < 0) return undefined
      keep(bytes.subarray(end + 1))
      return bytes.subarray(0, end > 0 && bytes[end - 1] === cr ? end - 1 : end).toString()
    },
    lines() {
      awaitsLine = false
      if (!isWhole()) return undefined
      const bytes = all()
      keep(Buffer.alloc(0))
      return unstuffed(bytes.subarray(0, bytes.length - 3))
    },
  }
}

/** Without the dot that a server puts before each line that begins with one. */
function unstuffed(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let at = 0; at >= 0 && at < bytes.length; ) {
    const isStart = at === 0 || bytes[at - 1] === lf
    if (isStart && bytes[at] === dot) {
      parts.push(bytes.subarray(from, at))
      from = at + 1
    }
    const next = bytes.indexOf('\n.', at)
    at = next < 0 ? -1 : next + 1
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)])
}
