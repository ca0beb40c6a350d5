import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { eventually, type HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clamdScanner } from '../../src/scans/clamd-scanner.client.js'
import { eicar, nested, zip } from '../support/archives.js'
import { type Clamd, startClamd, streamMaxBytes } from '../support/clamd.js'
import { type Files, scanned, startFiles, upload } from '../support/files.js'

let clamd: Clamd
let files: Files
beforeAll(async () => {
  clamd = await startClamd()
  files = await startFiles({ variables: { FILES_CLAMD_ADDRESS: clamd.address } })
})
afterAll(async () => {
  await files?.stop()
  await clamd?.stop()
})

const notClean = { status: 409, body: { errorCode: 'FILE_NOT_CLEAN' } }
const infected = { virus_scan_status: 'infected', virus_scan_error: 'Eicar-Test-Signature.UNOFFICIAL' }

const expert = () => files.asExpert(files.office().expert)
const record = (http: HttpClient, id: number) =>
  http.get<{ CommonFile: Record<string, string> }>(`/common_file/${id}?meta=1`).then(({ body }) => body.CommonFile)

/** Checks repeatedly during `work` that these files are pending and cannot be downloaded. */
async function pendingDuring<T>(http: HttpClient, ids: readonly number[], work: Promise<T>): Promise<T> {
  let over = false
  const looking = (async () => {
    while (!over) {
      for (const id of ids) {
        expect(await record(http, id)).toMatchObject({ virus_scan_status: 'pending' })
        expect(await http.get(`/common_file/${id}`)).toMatchObject(notClean)
      }
    }
  })()
  const result = await work.finally(() => {
    over = true
  })
  await looking
  return result
}

const away = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Expects that all of these files are clean within 10 s. */
async function cleanWithin10s(http: HttpClient, ids: readonly number[]): Promise<void> {
  const since = performance.now()
  for (const id of ids) {
    await eventually(async () => expect(await record(http, id)).toMatchObject({ virus_scan_status: 'ok' }), { timeoutMs: 10_000 })
  }
  expect(performance.now() - since).toBeLessThan(10_000)
}

describe('a real clamd', () => {
  it('detects the test file as a plain file, in an archive, and in nested archives', async () => {
    const http = expert()
    const contents = [eicar, await zip({ 'a.txt': 'clean', 'eicar.com': eicar }), await nested(4, eicar)]
    for (const content of contents) {
      const id = await upload(http, typeof content === 'string' ? content : new Uint8Array(content), 'a.bin')
      expect(await scanned(http, id)).toMatchObject(infected)
      expect(await http.get(`/common_file/${id}`)).toMatchObject(notClean)
    }
  })

  it('finds nothing in clean files: empty, small, large, an archive', async () => {
    const http = expert()
    const contents = [Buffer.alloc(0), Buffer.from('a letter'), randomBytes(5_000_000), await zip({ 'a.txt': 'clean' })]
    for (const content of contents) {
      const id = await upload(http, new Uint8Array(content), 'a.bin')
      expect(await scanned(http, id)).toMatchObject({ virus_scan_status: 'ok', virus_scan_error: null })
    }
  })

  it('refuses a file that exceeds its limit, whose scan then has failed', async () => {
    const http = expert()
    const id = await upload(http, new Uint8Array(randomBytes(streamMaxBytes + 1)), 'a.bin')
    const settled = await eventually(
      async () => {
        const { virus_scan_status: status, virus_scan_error: error } = await record(http, id)
        expect(status).not.toBe('pending')
        return { status, error }
      },
      { timeoutMs: 30_000 },
    )
    expect(settled).toEqual({ status: 'failed', error: 'The virus scanner takes no files of this size.' })
  })

  it('can be used over a Unix socket as well', async () => {
    const scanner = clamdScanner({ address: { path: clamd.path }, timeoutMs: 10_000 })
    const scan = (content: string) =>
      scanner.scan({ sizeBytes: 1, read: async () => Readable.from([Buffer.from(content)]) }, new AbortController().signal)
    expect(await scan('a letter')).toEqual({ status: 'ok' })
    expect(await scan(eicar)).toEqual({ status: 'infected', error: infected.virus_scan_error })
  })

  it('that is killed leaves files pending and without downloads, and scans them within 10 s after its restart', async () => {
    const http = expert()
    await clamd.kill()
    const ids = await Promise.all(Array.from({ length: 20 }, () => upload(http, 'a letter')))
    const virus = await upload(http, eicar)
    await pendingDuring(http, ids, away(13_000))
    await clamd.start()
    await cleanWithin10s(http, ids)
    expect(await scanned(http, virus)).toMatchObject(infected)
  })

  it('that hangs leaves files pending, and scans them within 10 s after it continues', async () => {
    const http = expert()
    clamd.signal('SIGSTOP')
    const ids = await Promise.all(Array.from({ length: 6 }, () => upload(http, new Uint8Array(randomBytes(3_000_000)))))
    await pendingDuring(http, ids, away(5000))
    clamd.signal('SIGCONT')
    await cleanWithin10s(http, ids)
  })

  it('that hangs and is then killed during scans gets the files again', async () => {
    const http = expert()
    clamd.signal('SIGSTOP')
    const ids = await Promise.all(Array.from({ length: 6 }, () => upload(http, new Uint8Array(randomBytes(6_000_000)))))
    await pendingDuring(http, ids, away(2000))
    await clamd.kill()
    await clamd.start()
    await cleanWithin10s(http, ids)
  })
})
