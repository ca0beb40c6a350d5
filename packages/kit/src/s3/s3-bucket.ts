import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { deadline } from './deadline.js'

/** The requests to a bucket. Each is aborted where its answer does not begin within `timeoutMs` milliseconds. */
export function s3Bucket(client: S3Client, Bucket: string, timeoutMs: number) {
  /** The body of a download may take longer. */
  const within = <T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> => {
    const controller = new AbortController()
    const answer = deadline(timeoutMs, () => controller.abort())
    answer.start()
    return send({ abortSignal: controller.signal }).finally(answer.stop)
  }
  const exists = () => within((options) => client.send(new HeadBucketCommand({ Bucket }), options))

  /** Undefined where the object is missing. Throws where the bucket is missing, because then nothing is known about the object. */
  const ifThere = <T>(answer: Promise<T>): Promise<T | undefined> =>
    answer.catch(async (error) => {
      if (!isMissing(error)) throw error
      await exists()
      return undefined
    })

  return {
    exists,
    get: (Key: string, Range: string | undefined) =>
      ifThere(within((options) => client.send(new GetObjectCommand({ Bucket, Key, Range }), options))),
    head: (Key: string) => ifThere(within((options) => client.send(new HeadObjectCommand({ Bucket, Key }), options))),
    remove: (Key: string) => within((options) => client.send(new DeleteObjectCommand({ Bucket, Key }), options)),

    async *objects() {
      for (let token: string | undefined, more = true; more; ) {
        const command = new ListObjectsV2Command({ Bucket, ContinuationToken: token })
        const { Contents = [], IsTruncated, NextContinuationToken } = await within((options) => client.send(command, options))
        for (const { Key = '', LastModified } of Contents) yield { key: Key, since: LastModified }
        token = NextContinuationToken
        more = IsTruncated ?? false
      }
    },

    /** Multipart uploads that were neither completed nor aborted. */
    async *unfinished(Prefix?: string) {
      for (let after: { KeyMarker?: string; UploadIdMarker?: string } = {}, more = true; more; ) {
        const command = new ListMultipartUploadsCommand({ Bucket, Prefix, ...after })
        const { Uploads = [], IsTruncated, NextKeyMarker, NextUploadIdMarker } = await within((options) => client.send(command, options))
        for (const { Key = '', UploadId, Initiated } of Uploads) yield { key: Key, uploadId: UploadId, since: Initiated }
        after = { KeyMarker: NextKeyMarker ?? '', UploadIdMarker: NextUploadIdMarker ?? '' }
        more = IsTruncated ?? false
      }
    },

    /** Not an error where the upload has ended already. */
    abort: (Key: string, UploadId: string | undefined) =>
      ifThere(within((options) => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options))),
  }
}

/** Whether an object or a bucket is missing. By the status, because the answer to a HEAD has no error code. */
export const isMissing = (error: unknown): boolean => error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
