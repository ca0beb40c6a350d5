import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { observe } from './observe.js'

const piped = async (content: Readable) => {
  const read: Buffer[] = []
  await pipeline(content, async function* (chunks) {
    for await (const chunk of chunks) yield read.push(chunk)
  })
  return Buffer.concat(read)
}

it.each([
  ['iterated', buffer],
  ['piped', piped],
])('a stream that is %s later is observed as a whole, and its reader has all of it', async (_how, read) => {
  const chunks = ['one', 'two', 'three'].map((text) => Buffer.from(text))
  const observed: Uint8Array[] = []
  const content = observe(Readable.from(chunks, { objectMode: false }), (chunk) => observed.push(chunk))
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(observed).toEqual([])
  expect(String(await read(content))).toBe('onetwothree')
  expect(String(Buffer.concat(observed))).toBe('onetwothree')
})
