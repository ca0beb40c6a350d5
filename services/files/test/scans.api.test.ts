import { fileTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Files, scanned, startFiles, upload } from './support/files.js'
import { ok, type Script, type ScriptedClamd, says, scriptedClamd } from './support/scripted-clamd.js'

let clamd: ScriptedClamd
let files: Files
beforeAll(async () => {
  clamd = await scriptedClamd()
  files = await startFiles({ variables: { FILES_CLAMD_ADDRESS: clamd.address, FILES_SCAN_CONCURRENCY: '4' } })
})
afterEach(() => {
  clamd.script = ok
})
afterAll(async () => {
  await files.stop()
  await clamd.stop()
})

const notClean = { status: 409, body: { errorCode: 'FILE_NOT_CLEAN' } }
const hangs: Script = () => undefined

const expert = () => files.asExpert(files.office().expert)
const statusOf = async (http: ReturnType<typeof expert>, id: number) =>
  (await http.get<{ CommonFile: { virus_scan_status: string } }>(`/common_file/${id}?meta=1`)).body.CommonFile.virus_scan_status

const eventsOf = async (id: number) =>
  (await files.published(fileTopic))
    .map(({ event }) => event)
    .filter((event) => event.id === BigInt(id))
    .map(({ scanStatus }) => scanStatus)

/** Resolves when no job of a scan is pending. */
const scansAreDone = () =>
  eventually(
    async () => {
      const left = await files.database.rows(
        "SELECT FROM kit.job WHERE name IN ('virus-scan', 'virus-rescan', 'rescan') AND state IN ('ready', 'waiting', 'held', 'running')",
      )
      expect(left).toEqual([])
    },
    { timeoutMs: 45_000 },
  )

describe('while the scanner is down', () => {
  it('files stay pending, and are scanned within 10 s after its restart', async () => {
    const http = expert()
    await clamd.stop()
    const ids = await Promise.all(Array.from({ length: 20 }, () => upload(http, 'a letter')))
    for (const id of ids) expect(await http.get(`/common_file/${id}`)).toMatchObject(notClean)
    await files.database.rows("UPDATE common_files SET created = now() - interval '5 minutes' WHERE virus_scan_status = 'pending'")
    expect(await files.figure('files_oldest_pending_seconds')).toBeGreaterThanOrEqual(300)
    // Waits until a scan has given up waiting for the scanner.
    const failed = async () =>
      expect(await files.database.rows("SELECT FROM kit.job WHERE name = 'virus-scan' AND delays > 0 LIMIT 1")).toHaveLength(1)
    await eventually(failed, { timeoutMs: 15_000 })
    await clamd.start()
    const since = performance.now()
    for (const id of ids) expect(await scanned(http, id)).toMatchObject({ virus_scan_status: 'ok' })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect((await http.get(`/common_file/${ids[0]}`)).text).toBe('a letter')
    expect(await files.figure('files_oldest_pending_seconds')).toBe(0)
  })

  it('or closes connections, or answers otherwise, a file is never `ok`', async () => {
    const http = expert()
    let attempts = 0
    const scripts: Script[] = [(socket) => socket.destroy(), says(''), says('stream: OK'), ok]
    clamd.script = (socket, content, whole) => {
      if (!whole && attempts > 0) return
      scripts[Math.min(attempts++, 3)]?.(socket, content, whole)
    }
    const id = await upload(http, 'a letter')
    await eventually(() => expect(attempts).toBe(3), { timeoutMs: 15_000 })
    expect(await http.get(`/common_file/${id}`)).toMatchObject(notClean)
    await eventually(async () => expect(await statusOf(http, id)).toBe('ok'), { timeoutMs: 15_000 })
    expect(await eventsOf(id)).toEqual([1, 2])
  })
})

/** Records the maximum number of concurrent scans. The first ones end only when `count` are open, so that they overlap on a busy machine too. */
function scansThatMeet(count: number) {
  const most = { open: 0 }
  const { promise: met, resolve } = Promise.withResolvers<void>()
  clamd.script = async (socket, content, whole) => {
    if (!whole) return
    most.open = Math.max(most.open, clamd.open.size)
    if (most.open >= count) resolve()
    await met
    setTimeout(() => ok(socket, content, whole), 20)
  }
  return most
}

it('scans at most the configured number of files at once, and at most half of it for one office', async () => {
  const ofAll = scansThatMeet(4)
  const offices = [expert(), expert(), expert()]
  const uploads = Array.from({ length: 50 }, (_, index) => ({ http: offices[index % 3] as ReturnType<typeof expert> }))
  const ids = await Promise.all(uploads.map(({ http }) => upload(http, 'a letter')))
  for (const [index, { http }] of uploads.entries()) await scanned(http, ids[index] as number)
  expect(ofAll.open).toBe(4)
  const ofOne = scansThatMeet(2)
  const [http] = offices as [ReturnType<typeof expert>]
  for (const id of await Promise.all(Array.from({ length: 10 }, () => upload(http, 'a letter')))) await scanned(http, id)
  expect(ofOne.open).toBe(2)
})

describe('a rescan', () => {
  const yesterday = () => new Date(Date.now() - 86_400_000)

  it('keeps the previous result until it has a new one, and publishes only a change', async () => {
    const http = expert()
    const [clean, turned] = [await upload(http, 'a letter'), await upload(http, 'new virus')]
    for (const id of [clean, turned]) await scanned(http, id)
    clamd.script = hangs
    expect(await files.service.administration.rescan(yesterday())).toBeGreaterThanOrEqual(2)
    await eventually(() => expect(clamd.open.size).toBe(2), { timeoutMs: 20_000 })
    expect((await http.get(`/common_file/${turned}`)).text).toBe('new virus')
    clamd.script = (socket, content, whole) =>
      (String(content()).includes('virus') ? says('stream: New.Virus FOUND\0') : ok)(socket, content, whole)
    for (const socket of clamd.open) socket.destroy()
    await scansAreDone()
    expect(await scanned(http, turned)).toMatchObject({ virus_scan_status: 'infected', virus_scan_error: 'New.Virus' })
    expect(await http.get(`/common_file/${turned}`)).toMatchObject(notClean)
    expect((await http.get(`/common_file/${clean}`)).text).toBe('a letter')
    expect([await eventsOf(clean), await eventsOf(turned)]).toEqual([
      [1, 2],
      [1, 2, 3],
    ])
  })

  it('includes only files that were uploaded since the given time and have a result', async () => {
    const http = expert()
    const [old, recent] = [await upload(http, 'old'), await upload(http, 'recent')]
    for (const id of [old, recent]) await scanned(http, id)
    await files.database.rows("UPDATE common_files SET created = now() - interval '2 days' WHERE id <> $1", [recent])
    const received: string[] = []
    clamd.script = (socket, content, whole) => {
      if (whole) received.push(String(content()))
      ok(socket, content, whole)
    }
    expect(await files.service.administration.rescan(yesterday())).toBe(1)
    await scansAreDone()
    expect(received).toEqual(['recent'])
  })

  it('includes all files, also where they are more than a batch', async () => {
    const { customerId } = files.office()
    await files.database.rows('DELETE FROM common_files')
    await files.database.rows(
      `INSERT INTO common_files (customer_id, name, filename, mime, size, sha256, blob_key, virus_scan_status)
       SELECT $1, 'a', 'a', 'text/plain', 1, '', 'none' || n, 'ok' FROM generate_series(1, 510) AS n`,
      [customerId],
    )
    expect(await files.service.administration.rescan(yesterday())).toBe(510)
    await scansAreDone()
    const [{ lost } = { lost: 0 }] = await files.database.rows<{ lost: number }>(
      "SELECT count(*)::int AS lost FROM common_files WHERE virus_scan_status = 'failed' AND file_not_exists",
    )
    expect(lost).toBe(510)
  })
})
