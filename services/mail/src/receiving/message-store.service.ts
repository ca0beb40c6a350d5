import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BlobStore, newBlobKey } from '@caseway/kit/blobs'
import type { MailParser } from '../parsing/mail-parser.js'
import type { Arrived } from '../received-messages/arrived-message.js'

/** With the size that the bytes really have: what servers say of it may differ (RFC 1939, 5). */
type Bytes = Pick<Arrived, 'blobKey' | 'sha256' | 'parsed' | 'size'>

/** Stores the bytes of messages, and only then reads them: what cannot be parsed is there as well. */
export const messageStore = (blobs: BlobStore, parser: MailParser) => {
  const storeAll = async (source: Uint8Array): Promise<Bytes> => {
    const blobKey = newBlobKey()
    await blobs.put(blobKey, source)
    const sha256 = createHash('sha256').update(source).digest()
    return { blobKey, sha256, size: source.byteLength, parsed: await parser.message(source) }
  }

  const storeStream = async (source: Readable): Promise<Bytes> => {
    const blobKey = newBlobKey()
    const hash = createHash('sha256')
    let size = 0
    const hashed = async function* () {
      for await (const chunk of source) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    await blobs.put(blobKey, Readable.from(hashed(), { objectMode: false }))
    return { blobKey, sha256: hash.digest(), size, parsed: await parser.message(await stored(blobKey, size)) }
  }

  /** In memory of its size, which the parser takes over. Chunks that are collected and then joined take twice as much. */
  const stored = async (blobKey: string, size: number): Promise<Uint8Array> => {
    const bytes = Buffer.allocUnsafeSlow(size)
    let at = 0
    for await (const chunk of (await blobs.get(blobKey)) ?? []) at += chunk.copy(bytes, at)
    return bytes.subarray(0, at)
  }

  return {
    store: (source: Uint8Array | Readable): Promise<Bytes> => (source instanceof Readable ? storeStream(source) : storeAll(source)),

    /** Of messages that became none. What cannot be removed now is found by the sweep. */
    async remove(messages: readonly { readonly blobKey: string }[]): Promise<void> {
      await Promise.all(messages.map(({ blobKey }) => blobs.remove(blobKey).catch(() => undefined)))
    },
  }
}

export type MessageStore = ReturnType<typeof messageStore>
