import { S3Client } from '@aws-sdk/client-s3'
import type { S3Place } from './s3-variables.js'

/** Of one attempt. A store is near: one that does not accept a connection by then has to be asked again. */
const connectionTimeoutMs = 1_000

/** A slow reader holds a connection, and must not keep the others from theirs. */
const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }

/**
 * Two clients of one store. The requests of `writer` end when the store says nothing for the timeout; those of `reader` may stand still, because the
 * reader of a download is slow. Attempts that fail are repeated twice.
 */
export function s3Clients({ endpoint, region, accessKeyId, secretAccessKey, timeoutMs }: Omit<S3Place, 'bucket'>) {
  const client = (socketTimeout: number) =>
    new S3Client({
      ...{ endpoint, region, credentials: { accessKeyId, secretAccessKey } },
      // As all stores understand it, not Amazon's alone: no names of buckets in hosts, and no checksums that only newer ones know.
      ...{ forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
      // It would make a connection for each part.
      expectContinueHeader: false,
      requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout, httpAgent: agent, httpsAgent: agent },
    })
  return { writer: client(timeoutMs), reader: client(0) }
}
