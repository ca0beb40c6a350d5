import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startS3 } from '@caseway/install/s3/server.mjs'
import type { S3Settings } from '@caseway/kit/s3'
import { type FaultyProxy, faultyProxy } from './faulty-proxy.js'

export interface TestS3 {
  /** The settings of the store behind the proxy. */
  readonly settings: S3Settings
  readonly proxy: FaultyProxy
  /** The folder in which the server stores the bucket. */
  readonly folder: string
  stop(): Promise<void>
}

/**
 * A real S3 server with one bucket, behind a proxy that injects faults.
 * @param timeoutMs short where a test waits for it; otherwise more than the server needs on a busy machine
 */
export async function testS3(timeoutMs = 20_000): Promise<TestS3> {
  const home = await mkdtemp(join(tmpdir(), 'caseway-s3-'))
  const server = await startS3({ home, bucket: 'files', secretAccessKey: randomBytes(16).toString('hex') })
  const proxy = await faultyProxy(server.port)
  const { bucket, accessKeyId, secretAccessKey } = server
  return {
    settings: { ...{ bucket, accessKeyId, secretAccessKey, region: 'us-east-1', timeoutMs }, endpoint: proxy.url },
    ...{ proxy, folder: join(home, 'data', bucket) },
    async stop() {
      await proxy.stop()
      await server.stop()
      await rm(home, { recursive: true })
    },
  }
}
