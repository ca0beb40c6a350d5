import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BlobKey, type BlobStore, newBlobKey } from './blob-store.js'

/** A blob with the size and the SHA-256 of its bytes. */
interface HashedBlob {
  readonly blobKey: BlobKey
  readonly sizeBytes: number
  readonly sha256: Buffer<ArrayBuffer>
}

/**
 * Stores `content` under a new key, and measures and hashes it on the way, so that the bytes are read once.
 * @throws as `BlobStore.put`
 */
export async function putHashed(blobs: Pick<BlobStore, 'put'>, content: AsyncIterable<Buffer>): Promise<HashedBlob> {
  const blobKey = newBlobKey()
  const hash = createHash('sha256')
  let sizeBytes = 0
  const hashed = async function* () {
    for await (const chunk of content) {
      hash.update(chunk)
      sizeBytes += chunk.length
      yield chunk
    }
  }
  await blobs.put(blobKey, Readable.from(hashed(), { objectMode: false }))
  return { blobKey, sizeBytes, sha256: hash.digest() }
}
