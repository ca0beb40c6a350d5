import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { faultySmtp, lastLine } from '../support/faulty-smtp.js'
import { atOnce, mailboxAt, messageOf, open, outcomeOf, sent, text } from '../support/smtp-messages.js'
import { testServers } from '../support/test-servers.js'

const { serving } = testServers()

describe('the end of a message', () => {
  it('is not sent when `beforeDot` rejects, whatever has been written', async () => {
    const { port, received } = await serving(faultySmtp())
    const failure = Object.assign(new Error('The lease is lost.'), { code: 'LOST' })
    await expect(sent(mailboxAt(port), messageOf(), () => Promise.reject(failure))).rejects.toBe(failure)
    await pause(200)
    expect(failure.code).toBe('LOST')
    expect(received()).toContain(lastLine)
    expect(received()).not.toContain('\r\n.\r\n')
  })

  it.each([-1, 1])('is not sent when the content has %i bytes too many', async (more) => {
    const { port, received } = await serving(faultySmtp())
    await expect(sent(mailboxAt(port), { ...messageOf(), sizeBytes: Buffer.byteLength(text) - more })).rejects.toThrow('not as many bytes')
    expect(received()).not.toContain('\r\n.\r\n')
  })

  it('is not sent when the content cannot be read', async () => {
    const { port, received } = await serving(faultySmtp())
    const failure = new Error('The storage is away.')
    const content = (async function* () {
      yield Buffer.from('Subject: x\r\n')
      throw failure
    })()
    await expect(sent(mailboxAt(port), { ...messageOf(), content })).rejects.toBe(failure)
    expect(received()).not.toContain('\r\n.\r\n')
  })

  it('is not sent when the signal is aborted before it, and its answer is awaited after it', async () => {
    const { port, received } = await serving(faultySmtp())
    const stop = new AbortController()
    const reason = new Error('The worker stops.')
    const session = await open(mailboxAt(port))
    const sending = session.send(
      messageOf(),
      async () => {
        stop.abort(reason)
        await pause(50)
      },
      stop.signal,
    )
    await expect(sending).rejects.toBe(reason)
    expect(received()).not.toContain('\r\n.\r\n')

    const after = new AbortController()
    const script = faultySmtp()
    const answer = (line: string) => {
      if (line === '.') after.abort()
      return script.answer?.(line)
    }
    const other = await serving({ ...script, answer })
    const another = await open(mailboxAt(other.port))
    expect(await outcomeOf(() => another.send(messageOf(), atOnce, after.signal))).toBe('accepted')
    another.close()
  })

  it('is not sent when the connection was lost during `beforeDot`: nothing was sent', async () => {
    const server = await serving(faultySmtp())
    const beforeDot = () => server.stop().then(() => pause(100))
    expect(await outcomeOf(() => sent(mailboxAt(server.port), messageOf(), beforeDot))).toMatch(/^nothing/)
  })
})
