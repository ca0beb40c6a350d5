import { Readable } from 'node:stream'
import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { storageUnavailable } from '../blobs/index.js'
import { deadline } from './deadline.js'

/** The least that S3 takes. An upload holds one part, and what comes while it is sent. */
const partBytes = 5 * 1_048_576

interface S3Object {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Stores what `content` yields: up to one part as an object, more in parts that become an object together. When it breaks off, the parts are removed.
 * @param client that ends requests of which the store takes no byte
 * @param timeoutMs from the end of `content` on, in which the store must take the last part, and join all
 * @throws what `content` throws, and AppError `unavailable`
 */
export async function uploadTo(client: S3Client, object: S3Object, content: Readable, timeoutMs: number): Promise<void> {
  let broken: unknown
  const abortController = new AbortController()
  const last = deadline(timeoutMs, () => abortController.abort())

  async function* chunks() {
    const sent = content[Symbol.asyncIterator]()
    for (;;) {
      const { done, value: chunk } = await sent.next().catch((error) => {
        broken = error
        throw error
      })
      if (done) break
      yield chunk
    }
    last.start()
  }

  const upload = new Upload({
    ...{ client: abortable(client, abortController.signal), abortController, queueSize: 1, partSize: partBytes },
    params: { ...object, Body: Readable.from(chunks(), { objectMode: false }) },
  })
  try {
    await upload.done()
  } catch (error) {
    content.destroy()
    throw broken ?? storageUnavailable(error)
  } finally {
    last.stop()
  }
}

/**
 * The client with requests that end when `signal` is aborted, but for the one that removes the parts. An Upload would let them go on, and what it has
 * said is not stored would be stored later.
 */
const abortable = (client: S3Client, signal: AbortSignal): S3Client =>
  Object.assign(Object.create(client), {
    send: (command: Parameters<S3Client['send']>[0]) =>
      client.send(command, command instanceof AbortMultipartUploadCommand ? {} : { abortSignal: signal }),
  })
