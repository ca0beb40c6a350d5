import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-settings.js'

/** Timeout of connecting, for each attempt. It is short, because the store is near. */
const connectionTimeoutMs = 1_000

/** Without a limit of connections, because slow readers hold theirs. */
const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }

/**
 * Creates a client of an S3 store. Failed attempts are retried twice, except after a timeout, when no caller would wait for another.
 * @param silenceMs how long a connection may be idle, in milliseconds; 0 means no limit, for downloads, whose readers may pause
 */
export function s3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings, silenceMs: number): S3Client {
  const client = new S3Client({
    ...{ endpoint, region, credentials: { accessKeyId, secretAccessKey } },
    // For compatibility with stores other than Amazon's: no bucket names in host names, and no checksums that only newer stores know.
    ...{ forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    // `Expect: 100-continue` would open a connection for each part.
    expectContinueHeader: false,
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: silenceMs, httpAgent: agent, httpsAgent: agent },
  })
  const withoutRepetition = (error: Error & { code?: string }) => {
    // The SDK also calls a reset connection a TimeoutError, but that one has a code.
    throw error.name === 'TimeoutError' && error.code === undefined ? new Error(error.message) : error
  }
  client.middlewareStack.add((next) => (args) => next(args).catch(withoutRepetition), { step: 'deserialize', priority: 'low' })
  return client
}
