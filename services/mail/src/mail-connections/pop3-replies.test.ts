import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { pop3Replies } from './pop3-replies.js'

describe('replies of a POP3 server', () => {
  it('are lines, however they are cut', () => {
    const replies = pop3Replies()
    for (const chunk of ['+O', 'K a', '\r', '\n-ERR b\n']) {
      expect(replies.line()).toBeUndefined()
      replies.push(Buffer.from(chunk))
    }
    expect([replies.line(), replies.line(), replies.line(), replies.size()]).toEqual(['+OK a', '-ERR b', undefined, 0])
  })

  it('of several lines are what was sent, byte for byte, wherever it is cut', () => {
    const anyBytes = fc
      .array(fc.constantFrom('.', '\r\n', '\r', '\n', 'a', '..', '\0', 'ż'), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(60), { maxLength: 5 }), (text, cuts) => {
        // A server ends lines with CR LF, and puts a dot before each that begins with one.
        const body = text === '' ? '' : `${text.replace(/\r\n|\r|\n/g, '\r\n').replace(/(\r\n)?$/, '\r\n')}`
        const sent = Buffer.from(`${body.replace(/(^|\n)\./g, '$1..')}.\r\n`)
        const replies = pop3Replies()
        replies.lines()
        let from = 0
        for (const cut of cuts.toSorted((a, b) => a - b).filter((cut) => cut < sent.length)) {
          replies.push(sent.subarray(from, cut))
          from = cut
        }
        replies.push(sent.subarray(from))
        expect(replies.lines()?.toString()).toBe(body)
        expect(replies.size()).toBe(0)
      }),
    )
  })

  it('that have not come as a whole are none', () => {
    const replies = pop3Replies()
    for (const chunk of ['a\r\n', '..\r\n', '.']) {
      replies.push(Buffer.from(chunk))
      expect(replies.lines()).toBeUndefined()
    }
  })

  it('whose line does not end are an error', () => {
    const replies = pop3Replies()
    expect(() => replies.push(Buffer.alloc(16_385, 'a'))).toThrow()
  })
})
