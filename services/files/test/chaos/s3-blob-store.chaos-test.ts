import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { newBlobKey } from '@caseway/kit/blobs'
import { s3BlobStore } from '@caseway/kit/s3'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { itKeepsBlobs } from '../support/blob-store-contract.js'
import { type TestS3, testS3 } from '../support/s3.js'

let s3: TestS3
beforeAll(async () => {
  s3 = await testS3()
})
afterAll(() => s3?.stop())

itKeepsBlobs('in S3', async () => {
  const { settings, proxy } = s3
  const { endpoint, region, accessKeyId, secretAccessKey, bucket: Bucket } = settings
  const client = new S3Client({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true })
  return {
    store: s3BlobStore(settings),
    async names() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
      return [...Contents, ...Uploads].map(({ Key = '' }) => Key)
    },
    async takeAway() {
      proxy.set('refusal')
      return async () => proxy.set('none')
    },
    close: async () => client.destroy(),
  }
})

it('a missing bucket is an error, and its objects are not reported as lost', async () => {
  const [store, key] = [s3BlobStore(s3.settings), newBlobKey()]
  await store.put(key, Readable.from([Buffer.from('x')]))
  await rename(s3.folder, `${s3.folder}-away`)
  for (const read of [store.get(key), store.sizeOf(key)]) await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
  await rename(`${s3.folder}-away`, s3.folder)
  expect(await store.sizeOf(key)).toBe(1)
})

it('a reader may pause for longer than the store may be silent', async () => {
  const [timeoutMs, key, content] = [500, newBlobKey(), Buffer.alloc(5_000_000, 'x')]
  await s3BlobStore(s3.settings).put(key, Readable.from([content]))
  const chunks: Buffer[] = []
  for await (const chunk of (await s3BlobStore({ ...s3.settings, timeoutMs }).get(key)) ?? []) {
    if (chunks.length === 0) await pause(3 * timeoutMs)
    chunks.push(chunk)
  }
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
})

it('a bucket that does not exist prevents the start; a store that does not answer does not', async () => {
  const other = s3BlobStore({ ...s3.settings, bucket: 'another' })
  await expect(other.open(true)).rejects.toThrow('The S3 store has no bucket another.')
  s3.proxy.set('refusal')
  await other.open(true)
  s3.proxy.set('none')
})
