import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { sweepBlobs } from '@caseway/kit/blobs'
import { s3BlobStore } from '@caseway/kit/s3'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Files, formOf, scanned, startFiles, upload } from '../support/files.js'
import { type TestS3, testS3 } from '../support/s3.js'
import { expectBytes, survives } from '../support/storage-outage.js'

/** Larger than one part of a multipart upload. */
const large = 6_000_000

let s3: TestS3
let files: Files
beforeAll(async () => {
  s3 = await testS3()
  const { endpoint, bucket, accessKeyId, secretAccessKey } = s3.settings
  files = await startFiles({
    variables: {
      FILES_S3_ENDPOINT: endpoint,
      FILES_S3_BUCKET: bucket,
      FILES_S3_ACCESS_KEY_ID: accessKeyId,
      FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  })
})
afterAll(async () => {
  await files?.stop()
  await s3?.stop()
})

async function names(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of s3BlobStore(s3.settings).olderThan(new Date(Date.now() + 60_000))) keys.push(key)
  return keys
}
const end = () => s3.proxy.set('none')

describe('uploads survive an S3 store', () => {
  it('that answers 500', () => survives(files, { begin: () => s3.proxy.set('error'), end, names }))

  it('that does not answer', async () => {
    await survives(files, { begin: () => s3.proxy.set('silence'), end, names })
    expect(s3.proxy.pending()).toBe(0)
  })

  it('that is slow without being silent', async () => {
    await survives(files, { begin: () => s3.proxy.set('delay'), end, names })
    expect(s3.proxy.pending()).toBe(0)
  })

  it('that refuses connections', () => survives(files, { begin: () => s3.proxy.set('refusal'), end, names }))

  it('that cuts off uploads and downloads', () => survives(files, { begin: () => s3.proxy.set({ cutAfter: 10 }), end, names }))

  it('that cuts off parts of uploads', () =>
    survives(files, { begin: () => s3.proxy.set({ cutAfter: 3_000_000 }), end, names, count: 1, sizeBytes: large, readable: true }))

  it('that falls silent within a part', () =>
    survives(files, { begin: () => s3.proxy.set({ silentAfter: 3_000_000 }), end, names, count: 1, sizeBytes: large, readable: true }))
})

describe('a download', () => {
  it.each([
    ['is cut off', { cutAfter: 100_000 }],
    ['falls silent', { silentAfter: 100_000 }],
  ])('whose store %s is reported as incomplete, and can be repeated', async (_what, fault) => {
    const { expert } = files.office()
    const content = randomBytes(300_000)
    const id = await upload(files.asExpert(expert), new Uint8Array(content))
    await scanned(files.asExpert(expert), id)
    s3.proxy.set(fault)
    await expect(expectBytes(files, id, expert.token, content)).rejects.toThrow('terminated')
    s3.proxy.set('none')
    await expectBytes(files, id, expert.token, content)
    expect(s3.proxy.pending()).toBe(0)
  })
})

it('parts that the store could not remove are removed by the sweep', async () => {
  const { expert } = files.office()
  const before = await names()
  const sending = files.asExpert(expert).post('/common_file', formOf(randomBytes(3 * large)))
  await eventually(async () => expect(await names()).toHaveLength(before.length + 1))
  s3.proxy.set('error')
  expect((await sending).status).toBe(503)
  s3.proxy.set('none')
  expect(await names()).toHaveLength(before.length + 1)
  const job = sweepBlobs({ records: { known: async () => new Set(before) }, blobs: s3BlobStore(s3.settings), everyMs: 1, graceMs: -60_000 })
  await job.work({ signal: new AbortController().signal } as never)
  expect(await names()).toEqual(before)
})

it('an upload whose sender disconnects between parts leaves nothing', async () => {
  const { customerId, expert } = files.office()
  const before = (await names()).length
  const { hostname, port } = new URL(files.service.httpUrl)
  const socket = connect(Number(port), hostname)
  const head = 'content-disposition: form-data; name="file"; filename="a.bin"'
  socket.write(
    `POST /expert/rest/common_file HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${expert.token}\r\ncontent-length: 9000000\r\n` +
      `content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n${head}\r\n\r\n`,
  )
  socket.write(randomBytes(large))
  await eventually(async () => expect(await names()).toHaveLength(before + 1))
  socket.destroy()
  await eventually(async () => expect(await names()).toHaveLength(before))
  expect(await files.database.rows('SELECT FROM common_files WHERE customer_id = $1', [customerId])).toEqual([])
})
