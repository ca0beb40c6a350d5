import { Readable } from 'node:stream'
import { type BlobKey, type BlobStore, storageUnavailable, stored } from '../blobs/index.js'
import { ConfigError } from '../config/index.js'
import { deadline } from './deadline.js'
import { isMissing, s3Bucket } from './s3-bucket.js'
import { s3Client } from './s3-client.js'
import type { S3Settings } from './s3-settings.js'
import { uploadTo } from './s3-upload.js'

/** `content` as a stream; bytes become one chunk. */
const streamOf = (content: Readable | Uint8Array) => (content instanceof Readable ? content : Readable.from([content]))

/** A BlobStore in a bucket of an S3 store, where each blob is an object with its key. `open` throws ConfigError where the bucket does not exist. */
export function s3BlobStore(settings: S3Settings): BlobStore {
  const { bucket: name, timeoutMs } = settings
  const writer = s3Client(settings, timeoutMs)
  const bucket = s3Bucket(s3Client(settings, 0), name, timeoutMs)

  /** Yields `body`, and fails where the store sends nothing for `timeoutMs`. Time in which the reader does not read is not counted. */
  async function* withinTimeout(body: Readable) {
    const silence = deadline(timeoutMs, () => body.destroy(new Error('The store sent nothing within the timeout.')))
    try {
      silence.start()
      for await (const chunk of body) {
        silence.stop()
        yield chunk
        silence.start()
      }
    } catch (error) {
      throw storageUnavailable(error)
    } finally {
      silence.stop()
    }
  }

  const abortUnfinished = async (key: BlobKey) => {
    for await (const { uploadId } of bucket.unfinished(key)) await bucket.abort(key, uploadId)
  }

  return {
    async open() {
      await bucket.exists().catch((error) => {
        // Other errors may be transient, and the service works without the store, except for the bytes.
        if (isMissing(error)) throw new ConfigError([`The S3 store has no bucket ${name}.`])
      })
    },

    put: (key, content) => uploadTo(writer, { Bucket: name, Key: key }, streamOf(content), timeoutMs),

    async get(key, range) {
      const found = await stored(bucket.get(key, range && `bytes=${range.start}-${range.end}`))
      return found && Readable.from(withinTimeout(found.Body as Readable), { objectMode: false })
    },

    sizeOf: async (key) => (await stored(bucket.head(key)))?.ContentLength,

    async remove(key) {
      await stored(Promise.all([bucket.remove(key), abortUnfinished(key)]))
    },

    async *olderThan(moment) {
      try {
        for (const list of [bucket.objects, bucket.unfinished]) {
          for await (const { key, since } of list()) if (since && since < moment) yield key
        }
      } catch (error) {
        throw storageUnavailable(error)
      }
    },
  }
}
