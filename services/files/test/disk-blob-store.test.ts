import { mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { type BlobStore, newBlobKey } from '../src/blobs/blob-store.js'
import { diskBlobStore } from '../src/blobs/disk-blob-store.client.js'

let folder: string
let store: BlobStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-blobs-'))
  store = diskBlobStore(folder)
  await store.open()
})
afterEach(() => rm(folder, { recursive: true }))

const key = newBlobKey()
const put = (...chunks: string[]) => store.put(key, Readable.from(chunks.map((chunk) => Buffer.from(chunk))))
const read = async (range?: { start: number; end: number }) => {
  const content = await store.get(key, range)
  return content && String(await buffer(content))
}
const names = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name)
const unavailable = expect.objectContaining({ kind: 'unavailable' })

it('keeps bytes, gives them whole or in part, and removes them', async () => {
  await put('01234', '56789')
  expect([await read(), await read({ start: 3, end: 6 })]).toEqual(['0123456789', '3456'])
  await store.remove(key)
  await store.remove(key)
  expect([await read(), await names()]).toEqual([undefined, []])
})

it('keeps nothing of what breaks off', async () => {
  const broken = new Error('The sender has gone.')
  async function* cut() {
    yield Buffer.from('half')
    throw broken
  }
  await expect(store.put(key, Readable.from(cut()))).rejects.toBe(broken)
  expect([await read(), await names()]).toEqual([undefined, []])
})

it('is unavailable while its folder is gone, and does not make another one', async () => {
  await put('before')
  await rename(folder, `${folder}-away`)
  await expect(store.get(key)).rejects.toEqual(unavailable)
  await expect(store.put(newBlobKey(), Readable.from([Buffer.from('x')]))).rejects.toEqual(unavailable)
  await rename(`${folder}-away`, folder)
  expect(await read()).toBe('before')
})

it('lists what is older than a moment, also what an upload has left that was killed', async () => {
  await put('whole')
  const [killed, unfinished] = [newBlobKey(), new Readable({ read() {} })]
  const upload = store.put(killed, unfinished).catch(() => undefined)
  while ((await names()).length < 2) await new Promise(setImmediate)
  const older = async (moment: Date) => {
    const keys: string[] = []
    for await (const key of store.olderThan(moment)) keys.push(key)
    return keys.sort()
  }
  expect(await older(new Date(Date.now() + 60_000))).toEqual([key, killed].sort())
  await utimes(join(folder, 'incoming', killed), new Date(0), new Date(0))
  expect(await older(new Date(Date.now() - 60_000))).toEqual([killed])
  await store.remove(killed)
  expect(await names()).toEqual([key])
  unfinished.destroy()
  await upload
})
