import { text } from 'node:stream/consumers'
import { expect, it } from '@jest/globals'
import { EventStream } from './event-stream.js'

it('writes events, with the id in the last one, and comments', async () => {
  const stream = new EventStream()
  stream.send(
    [
      { event: 'issue', data: '{"a":1}' },
      { event: 'counter', data: '{}' },
    ],
    'x1',
  )
  stream.send([], 'x2')
  stream.keepAlive()
  stream.end()
  stream.end()
  stream.keepAlive()
  expect(await text(stream)).toBe('event: issue\ndata: {"a":1}\n\nevent: counter\ndata: {}\nid: x1\n\nid: x2\n\n: still here\n\n')
})

it('buffers at most 256 KiB for a reader', () => {
  const leaving = (bytes: number) => {
    const stream = new EventStream()
    const around = 'event: issue\ndata: \nid: 1\n\n'.length
    stream.send([{ event: 'issue', data: 'x'.repeat(bytes - around) }], '1')
    return stream.destroyed
  }
  expect([leaving(262_144), leaving(262_145)]).toEqual([false, true])
})

it('ends the stream of a slow reader', () => {
  const stream = new EventStream()
  const large = { event: 'issue', data: 'x'.repeat(100_000) } as const
  stream.send([large], '1')
  stream.send([large], '2')
  expect(stream.destroyed).toBe(false)
  stream.send([large], '3')
  expect(stream.destroyed).toBe(true)
  stream.send([large], '4')
  stream.end()
})
