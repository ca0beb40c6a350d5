import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { free, freeWritten } from './free.js'

const wholeBuffer = () => Buffer.allocUnsafeSlow(65_536).fill('a')

it('whole buffers are freed; short ones, and views of parts of a buffer, are not', () => {
  const [whole, short, owner] = [wholeBuffer(), Buffer.alloc(1_000), wholeBuffer()]
  const part = owner.subarray(1)
  for (const bytes of [whole, short, part]) free(bytes)
  expect([whole, short, part, owner].map(({ length }) => length)).toEqual([0, 1_000, 65_535, 65_536])
})

describe('a buffer that is written to a stream', () => {
  /** A stream that finishes writing a chunk when the test says so. */
  function held() {
    const written: (() => void)[] = []
    const stream = new Writable({ write: (_chunk, _encoding, done) => void written.push(done) })
    freeWritten(stream)
    const next = async () => {
      written.shift()?.()
      await new Promise(setImmediate)
    }
    return { stream, next }
  }

  it('is freed once it has been written, and not before', async () => {
    const { stream, next } = held()
    const [first, second] = [wholeBuffer(), wholeBuffer()]
    stream.write(first)
    stream.write(second)
    expect([first.length, second.length]).toEqual([65_536, 65_536])
    await next()
    expect([first.length, second.length]).toEqual([0, 65_536])
    await next()
    expect(second).toHaveLength(0)
  })

  it('is not freed where the writer has passed a callback, which is called', async () => {
    const { stream, next } = held()
    const [bytes, text] = [wholeBuffer(), [] as string[]]
    stream.write(bytes, () => text.push('bytes'))
    stream.write('text', 'latin1', () => text.push('text'))
    await next()
    await next()
    expect(bytes).toHaveLength(65_536)
    expect(text).toEqual(['bytes', 'text'])
  })

  it('is not freed before the operating system has taken it, even if the connection ends first', async () => {
    const accepted: Socket[] = []
    const server = createServer((socket) => accepted.push(socket.pause())).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    freeWritten(socket)
    const sent: Buffer[] = []
    // More than the buffers of both ends hold.
    while (socket.writableLength < 4_000_000) {
      const bytes = wholeBuffer()
      sent.push(bytes)
      socket.write(bytes)
      await new Promise(setImmediate)
    }
    const waiting = () => sent.reduce((sum, { length }) => sum + length, 0)
    expect(waiting()).toBeGreaterThanOrEqual(socket.writableLength)
    expect(sent[0]).toHaveLength(0)
    socket.on('error', () => undefined).destroy()
    expect(waiting()).toBeGreaterThanOrEqual(4_000_000)
    await once(socket, 'close')
    for (const each of accepted) each.destroy()
    server.close()
  })
})
