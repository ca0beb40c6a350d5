import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from '@jest/globals'
import { isBlobKey } from './blob-store.js'
import { putHashed } from './put-hashed.js'

it('stores a stream under a new key, and returns the size and the hash of its bytes', async () => {
  const stored = new Map<string, Buffer>()
  const blobs = { put: async (key: string, content: Readable | Uint8Array) => void stored.set(key, await buffer(content as Readable)) }
  const bytes = Buffer.from('a letter in two parts')
  async function* content() {
    yield bytes.subarray(0, 9)
    yield bytes.subarray(9)
  }

  const { blobKey, ...measured } = await putHashed(blobs, content())

  expect(isBlobKey(blobKey)).toBe(true)
  expect(stored.get(blobKey)).toEqual(bytes)
  expect(measured).toEqual({ sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() })
})

it('rejects with the error of the stream', async () => {
  const blobs = { put: async (_key: string, content: Readable | Uint8Array) => void (await buffer(content as Readable)) }
  async function* content(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    throw new Error('broken off')
  }
  await expect(putHashed(blobs, content())).rejects.toThrow('broken off')
})
