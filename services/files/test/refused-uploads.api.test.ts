import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Files, formOf, startFiles, storedBlobs, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterAll(() => files.stop())

describe('the bytes of an upload', () => {
  it.each([
    ['an invalid id of an office', () => 'none'],
    ['an office with which the client has no link', () => String(files.office().customerId)],
  ])('are removed where the form names %s', async (_, customer_id) => {
    const http = files.asClient(files.client(files.office()))
    const before = await storedBlobs(files)
    const refused = { status: 400, body: { errorMessages: { customer_id: 'does not exist' } } }
    expect(await http.post('/common_file', formOf('x', 'x', { customer_id: customer_id() }))).toMatchObject(refused)
    expect(await storedBlobs(files)).toEqual(before)
  })

  it('are removed where the Idempotency-Key was used before', async () => {
    const http = files.asExpert(files.office().expert)
    const key = { 'idempotency-key': randomUUID() }
    await http.post('/common_file', formOf('a letter'), key)
    const before = await storedBlobs(files)
    for (const [content, status] of [['a letter', 201] as const, ['another letter', 409] as const])
      expect((await http.post('/common_file', formOf(content), key)).status).toBe(status)
    expect(await storedBlobs(files)).toEqual(before)
  })

  it('are required: a form without a chosen file is refused', async () => {
    const http = files.asExpert(files.office().expert)
    const before = await storedBlobs(files)
    const refused = { status: 400, body: { errorMessages: { file: 'is required' } } }
    expect(await http.post('/common_file', formOf('', ''))).toMatchObject(refused)
    expect(await storedBlobs(files)).toEqual(before)
    expect((await http.get('/common_file')).body).toEqual([])
  })

  it('are not read where the request has a Content-Encoding', async () => {
    const before = await storedBlobs(files)
    const coded = await files.asExpert(files.office().expert).post('/common_file', formOf('a letter'), { 'content-encoding': 'gzip' })
    expect(coded).toMatchObject({ status: 415, body: { errorCode: 'UNSUPPORTED_MEDIA_TYPE' } })
    expect(await storedBlobs(files)).toEqual(before)
  })

  it('are kept where the upload succeeds', async () => {
    const before = await storedBlobs(files)
    await upload(files.asExpert(files.office().expert), 'a letter')
    expect(await storedBlobs(files)).toHaveLength(before.length + 1)
  })
})
