import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { pop3Replies } from './pop3-replies.js'

/** Reads what has arrived of a multi-line response, and whether it has ended. */
function readPart(replies: ReturnType<typeof pop3Replies>) {
  const parts: Buffer[] = []
  for (;;) {
    const part = replies.part()
    if (!part) return { bytes: Buffer.concat(parts), isEnd: part === null }
    parts.push(part)
  }
}

describe('replies of a POP3 server', () => {
  it('are split into lines, wherever packets end', () => {
    const replies = pop3Replies()
    for (const chunk of ['+O', 'K a', '\r', '\n-ERR b\n']) {
      expect(replies.line()).toBeUndefined()
      replies.push(Buffer.from(chunk))
    }
    expect([replies.line(), replies.line(), replies.line(), replies.size()]).toEqual(['+OK a', '-ERR b', undefined, 0])
  })

  it('of several lines are read byte for byte, wherever packets end', () => {
    const anyBytes = fc
      .array(fc.constantFrom('.', '\r\n', '\r', '\n', '\r\n.\n', 'a', '..', '\0', 'ż'), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(80), { maxLength: 8 }), (text, cuts) => {
        // A server ends the last line with CR LF, and puts a dot before each line that begins with one.
        const body = text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`
        const sent = Buffer.from(`${body.replace(/(^|\r\n)\./g, '$1..')}.\r\n+OK next\r\n`)
        const replies = pop3Replies()
        replies.begin()
        const read: Buffer[] = []
        let [from, hasEnded] = [0, false]
        for (const cut of [...cuts.toSorted((a, b) => a - b).filter((one) => one < sent.length), sent.length]) {
          replies.push(sent.subarray(from, cut))
          from = cut
          if (hasEnded) continue
          const { bytes, isEnd } = readPart(replies)
          read.push(bytes)
          hasEnded = isEnd
        }
        expect(hasEnded).toBe(true)
        expect(Buffer.concat(read)).toEqual(Buffer.from(body))
        expect([replies.line(), replies.size()]).toEqual(['+OK next', 0])
      }),
    )
  })

  it('of several lines end only with a complete end mark', () => {
    const replies = pop3Replies()
    replies.begin()
    for (const chunk of ['a\r\n', '..\r\n', '.']) {
      replies.push(Buffer.from(chunk))
      expect(readPart(replies).isEnd).toBe(false)
    }
    replies.push(Buffer.from('\r\n'))
    expect(readPart(replies)).toEqual({ bytes: Buffer.from('\r\n'), isEnd: true })
  })

  it('with a line that does not end are an error', () => {
    const replies = pop3Replies()
    expect(() => replies.push(Buffer.alloc(16_385, 'a'))).toThrow()
  })
})
