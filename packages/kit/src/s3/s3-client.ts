import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-settings.js'

/** Of one attempt. A store is near: one that does not accept a connection by then does not answer. */
const connectionTimeoutMs = 1_000

/** A slow reader holds a connection, and must not keep the others from theirs. */
const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }

/**
 * A client of the store. Attempts that fail are repeated twice, but for those that met silence: whoever asks would not wait for another.
 * @param silenceMs for which a connection may stand still; 0 for downloads, whose readers may pause
 */
export function s3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings, silenceMs: number): S3Client {
  const client = new S3Client({
    ...{ endpoint, region, credentials: { accessKeyId, secretAccessKey } },
    // As all stores understand it, not Amazon's alone: no names of buckets in hosts, and no checksums that only newer ones know.
    ...{ forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    // It would make a connection for each part.
    expectContinueHeader: false,
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: silenceMs, httpAgent: agent, httpsAgent: agent },
  })
  const withoutRepetition = (error: Error & { code?: string }) => {
    // The library calls a connection that was reset a timeout as well, but that has a code.
    throw error.name === 'TimeoutError' && error.code === undefined ? new Error(error.message) : error
  }
  client.middlewareStack.add((next) => (args) => next(args).catch(withoutRepetition), { step: 'deserialize', priority: 'low' })
  return client
}
