import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { storageUnavailable } from '../errors.js'
import { deadline } from './deadline.js'

/** The least that S3 takes. An upload holds one part, and what comes while it is sent. */
const partBytes = 5 * 1_048_576

interface S3Object {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Stores what `content` yields: up to one part as an object, more in parts that become an object together. When it breaks off, the parts are removed.
 * @param timeoutMs in which the store must take each part, and join them
 * @throws what `content` throws, and AppError `unavailable`
 */
export async function uploadTo(client: S3Client, object: S3Object, content: Readable, timeoutMs: number): Promise<void> {
  let broken: unknown
  const storing = deadline(timeoutMs, () => upload.abort())

  /** While a chunk is out, the store has its turn; while the next is awaited, the sender has. */
  async function* chunks() {
    const sent = content[Symbol.asyncIterator]()
    for (;;) {
      const { done, value: chunk } = await sent.next().catch((error) => {
        broken = error
        throw error
      })
      storing.start()
      if (done) return
      yield chunk
      storing.stop()
    }
  }

  const params = { ...object, Body: Readable.from(chunks(), { objectMode: false }) }
  const upload = new Upload({ client, params, queueSize: 1, partSize: partBytes })
  try {
    await upload.done()
  } catch (error) {
    content.destroy()
    throw broken ?? storageUnavailable(error)
  } finally {
    storing.stop()
  }
}
