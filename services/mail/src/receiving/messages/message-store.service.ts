import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BlobStore, newBlobKey, putHashed } from '@caseway/kit/blobs'
import type { MailParser } from '../../parsing/mail-parser.js'
import type { Arrived } from '../../received-messages/arrivals/arrived-message.js'

/** The size is that of the stored bytes: the size that servers report may differ (RFC 1939, 5). */
type Bytes = Pick<Arrived, 'blobKey' | 'sha256' | 'parsed' | 'size'>

/** Stores the bytes of messages before it parses them, so that messages which cannot be parsed are stored as well. */
export const messageStore = (blobs: BlobStore, parser: MailParser) => {
  const storeAll = async (source: Uint8Array): Promise<Bytes> => {
    const blobKey = newBlobKey()
    await blobs.put(blobKey, source)
    const sha256 = createHash('sha256').update(source).digest()
    return { blobKey, sha256, size: source.byteLength, parsed: await parser.message(source) }
  }

  const storeStream = async (source: Readable): Promise<Bytes> => {
    const { blobKey, sha256, sizeBytes: size } = await putHashed(blobs, source)
    return { blobKey, sha256, size, parsed: await parser.message(await stored(blobKey, size)) }
  }

  /** Reads a message into a buffer of its size, which is transferred to the parser. Collecting and joining chunks would take twice as much. */
  const stored = async (blobKey: string, size: number): Promise<Uint8Array> => {
    const bytes = Buffer.allocUnsafeSlow(size)
    let at = 0
    for await (const chunk of (await blobs.get(blobKey)) ?? []) at += chunk.copy(bytes, at)
    return bytes.subarray(0, at)
  }

  return {
    store: (source: Uint8Array | Readable): Promise<Bytes> => (source instanceof Readable ? storeStream(source) : storeAll(source)),

    /** Removes the bytes of messages that were not stored. Bytes that cannot be removed now are left to the sweep. */
    async remove(messages: readonly { readonly blobKey: string }[]): Promise<void> {
      await Promise.all(messages.map(({ blobKey }) => blobs.remove(blobKey).catch(() => undefined)))
    },
  }
}

export type MessageStore = ReturnType<typeof messageStore>
