import { Readable } from 'node:stream'
import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { storageUnavailable } from '../blobs/index.js'
import { deadline } from './deadline.js'

/** The minimum of S3. In memory are one part, and the bytes that arrive while it is sent. */
const partBytes = 5 * 1_048_576

interface S3Object {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Uploads `content`: up to one part in a single request, more as a multipart upload, which is aborted where it fails.
 * @param client a client that ends requests to which the store does not react
 * @param timeoutMs how long the store may take from the end of `content` on to store the last part and complete the upload, in milliseconds
 * @throws the error of `content`, or AppError `unavailable`
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
 * The client with requests that are aborted by `signal`, except AbortMultipartUpload. Upload itself would let running requests go on, so that an object could
 * still be stored after the upload was reported as failed.
 */
const abortable = (client: S3Client, signal: AbortSignal): S3Client =>
  Object.assign(Object.create(client), {
    send: (command: Parameters<S3Client['send']>[0]) =>
      client.send(command, command instanceof AbortMultipartUploadCommand ? {} : { abortSignal: signal }),
  })
