import { randomBytes, randomUUID } from 'node:crypto'
import { eventually, type HttpClient } from '@caseway/testing'
import { expect } from '@jest/globals'
import { type Files, formOf, scanned, upload } from './files.js'

/** The time within which the gateway requires the beginning of an answer. */
const gatewayTimeoutMs = 5_000

interface Outage {
  readonly begin: () => unknown
  readonly end: () => unknown
  /** Whether stored files can be read during the outage. */
  readonly readable?: boolean
  /** The number of uploads during the outage, and the size of each. */
  readonly count?: number
  readonly sizeBytes?: number
  /** The names of all stored objects and unfinished uploads. */
  readonly names: () => Promise<readonly string[]>
}

/**
 * Tests an outage of the storage: all uploads are refused with 503 and leave nothing, requests without bytes succeed, and after
 * its end the same uploads succeed without an intervention.
 */
export async function survives(
  files: Files,
  { begin, end, readable = false, count = 4, sizeBytes = 100_000, names }: Outage,
): Promise<void> {
  const { customerId, expert } = files.office()
  const http = files.asExpert(expert)
  const id = await upload(http, 'stored before')
  await scanned(http, id)
  const contents = Array.from({ length: count }, () => randomBytes(sizeBytes))
  const keys = contents.map(() => ({ 'idempotency-key': randomUUID() }))
  const send = () => Promise.all(contents.map((content, index) => http.post<{ id: number }>('/common_file', formOf(content), keys[index])))
  const before = await names()

  await begin()
  const startedAt = performance.now()
  for (const answer of [...(await send()), ...(readable ? [] : [await http.get(`/common_file/${id}`)])]) expectUnavailable(answer)
  expect(performance.now() - startedAt).toBeLessThan(2 * gatewayTimeoutMs)
  if (readable) expect((await http.get(`/common_file/${id}`)).text).toBe('stored before')
  expect((await http.get(`/common_file/${id}?meta=1`)).status).toBe(200)
  expect((await http.get<object[]>('/common_file')).body).toHaveLength(1)
  expect((await fetch(`${files.service.httpUrl}/readyz`)).status).toBe(200)
  await end()

  const repeated = await eventually(async () => {
    const answers = await send()
    expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 201))
    return answers
  })
  for (const [index, { body }] of repeated.entries()) {
    await scanned(http, body.id)
    await expectBytes(files, body.id, expert.token, contents[index])
  }
  expect(await http.get(`/common_file/${id}`)).toMatchObject({ status: 200, text: 'stored before' })
  const rows = await files.database.rows<{ key: string }>('SELECT blob_key AS key FROM common_files WHERE customer_id = $1', [customerId])
  expect(rows).toHaveLength(count + 1)
  const known = new Set([...before, ...rows.map(({ key }) => key)])
  await eventually(async () => expect((await names()).filter((name) => !known.has(name))).toEqual([]))
}

export function expectUnavailable({ status, headers, body }: Awaited<ReturnType<HttpClient['get']>>): void {
  expect([status, body]).toEqual([
    503,
    { status: 'error', errorMessages: 'The service is temporarily unavailable.', errorCode: 'UNAVAILABLE' },
  ])
  expect(headers.get('retry-after')).toBe('1')
}

/** Expects that a download returns these bytes. */
export async function expectBytes(files: Files, id: number, token: string, content: Buffer = Buffer.of()): Promise<void> {
  const answer = await fetch(`${files.service.httpUrl}/expert/rest/common_file/${id}`, { headers: { authorization: `Bearer ${token}` } })
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
}
