import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { diskBlobStore } from '@caseway/kit/blobs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MailParser } from '../../src/parsing/mail-parser.js'
import { messageStore } from '../../src/receiving/messages/message-store.service.js'
import { mailFolder } from '../support/storage.js'

let storage: Awaited<ReturnType<typeof mailFolder>>
beforeAll(async () => {
  storage = await mailFolder()
})
afterAll(() => storage.remove())

it('a streamed message reaches the parser unchanged, in memory that is not shared', async () => {
  const blobs = diskBlobStore(storage.folder)
  await blobs.open(true)
  const parsed: Uint8Array[] = []
  const parser = { message: async (source: Uint8Array) => void parsed.push(source) } as unknown as MailParser
  // The storage returns it in several chunks.
  const source = randomBytes(700_000)
  const chunks = Array.from({ length: 100 }, (_, at) => source.subarray(at * 7_000, (at + 1) * 7_000))
  const stored = await messageStore(blobs, parser).store(Readable.from(chunks))
  expect(stored).toMatchObject({ size: source.length, sha256: createHash('sha256').update(source).digest() })
  expect(parsed.map((bytes) => source.equals(bytes))).toEqual([true])
  expect(parsed[0]?.buffer.byteLength).toBe(source.length)
})
