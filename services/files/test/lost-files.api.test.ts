import { mkdtemp, readdir, rename, rm, symlink, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { type Files, formOf, scanned, startFiles, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterAll(() => files.stop())

let token: string
let http: HttpClient
let id: number
let path: string
beforeEach(async () => {
  const { expert } = files.office()
  token = expert.token
  http = files.asExpert(expert)
  id = await upload(http, 'a letter')
  await scanned(http, id)
  path = await pathOf(id)
})

async function pathOf(fileId: number): Promise<string> {
  const [row] = await files.database.rows<{ key: string }>('SELECT blob_key AS key FROM common_files WHERE id = $1', [fileId])
  const key = row?.key ?? ''
  return join(files.folder, key.slice(0, 2), key.slice(2, 4), key)
}
const lose = () => rename(path, `${path}.backup`)
const restore = () => rename(`${path}.backup`, path)
const check = (name: 'file-check' | 'lost-file-check') =>
  files.database.rows('UPDATE kit.schedule SET next = now() WHERE name = $1', [name])
const record = async () => (await http.get<{ CommonFile: Record<string, unknown> }>(`/common_file/${id}?meta=1`)).body.CommonFile
const isLost = (flag: '0' | '1') => eventually(async () => expect((await record()).file_not_exists).toBe(flag))
const publishedLosses = async () =>
  (await files.published(fileTopic)).filter(({ event }) => event.id === BigInt(id)).map(({ event }) => event.fileNotExists)
const lost = { status: 409, body: { status: 'error', errorCode: 'FILE_NOT_EXISTS' } }

it('a download whose bytes are lost is refused, and the loss is stored and published once; it works when they are back', async () => {
  await lose()
  const downloads = await Promise.all(Array.from({ length: 8 }, () => http.get(`/common_file/${id}`)))
  for (const download of downloads) expect(download).toMatchObject(lost)
  await isLost('1')
  expect(await publishedLosses()).toEqual([false, false, true])
  expect(await files.figure('files_lost')).toBe(1)
  await restore()
  expect(await http.get(`/common_file/${id}`)).toMatchObject({ status: 200, text: 'a letter' })
  await isLost('0')
  expect(await publishedLosses()).toEqual([false, false, true, false])
  expect(await files.figure('files_lost')).toBe(0)
})

it('the check of files detects lost bytes, and the check of lost files detects restored ones', async () => {
  await lose()
  await check('file-check')
  await isLost('1')
  await restore()
  await check('lost-file-check')
  await isLost('0')
})

it('a truncated file is lost, and stays lost when it is downloaded', async () => {
  await truncate(path, 3)
  await check('file-check')
  await isLost('1')
  expect(await http.get(`/common_file/${id}`)).toMatchObject(lost)
  await isLost('1')
  expect(await publishedLosses()).toEqual([false, false, true])
})

it('a download is aborted where the loss of bytes was not known before', async () => {
  for (const left of [3, 0]) {
    await truncate(path, left)
    await expect(http.get(`/common_file/${id}`)).rejects.toThrow()
  }
  const { status } = await http.get(`/common_file/${id}?meta=1`)
  expect(status).toBe(200)
})

it('a file whose scan failed for lost bytes is scanned when they are back', async () => {
  await lose()
  await files.database.rows(
    "UPDATE common_files SET virus_scan_status = 'failed', virus_scan_error = 'The storage has lost the file.', file_not_exists = true WHERE id = $1",
    [id],
  )
  expect(await http.get(`/common_file/${id}`)).toMatchObject(lost)
  await restore()
  await check('lost-file-check')
  await eventually(async () =>
    expect(await record()).toMatchObject({ virus_scan_status: 'ok', virus_scan_error: null, file_not_exists: '0' }),
  )
})

it('no file is reported as lost while the storage is unavailable', async () => {
  await rename(files.folder, `${files.folder}-away`)
  await check('file-check')
  await eventually(async () => expect(await waiting()).toBe(1))
  expect((await record()).file_not_exists).toBe('0')
  await rename(`${files.folder}-away`, files.folder)
  await files.database.rows("UPDATE kit.job SET run_at = now() WHERE name = 'file-check'")
  await eventually(async () => expect(await waiting()).toBe(0))
  expect((await record()).file_not_exists).toBe('0')
})

async function waiting(): Promise<number> {
  return (await files.database.rows("SELECT FROM kit.job WHERE name = 'file-check' AND state = 'waiting'")).length
}

it('no file is reported as lost where the disk is not mounted when the service starts', async () => {
  const mount = await mkdtemp(join(tmpdir(), 'caseway-mount-'))
  const copy = await files.copy({ FILES_FOLDER: mount })
  const there = httpClient(`${copy.httpUrl}/expert/rest`, token)
  expect(await there.get(`/common_file/${id}`)).toMatchObject({ status: 503 })
  expect(await there.post('/common_file', formOf('another letter'))).toMatchObject({ status: 503 })
  expect(await readdir(mount)).toEqual([])
  await rm(mount, { recursive: true })
  await symlink(files.folder, mount)
  expect(await there.get(`/common_file/${id}`)).toMatchObject({ status: 200, text: 'a letter' })
  expect((await record()).file_not_exists).toBe('0')
  await copy.stop()
  await rm(mount)
})
