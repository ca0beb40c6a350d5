import { existsSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, readlink, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { type BlobStore, diskBlobStore, newBlobKey } from '@caseway/kit/blobs'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { itKeepsBlobs } from './support/blob-store-contract.js'

const namesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name)

itKeepsBlobs('on a disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-blobs-'))
  return {
    store: diskBlobStore(folder),
    names: () => namesBelow(folder),
    async takeAway() {
      await rename(folder, `${folder}-away`)
      return () => rename(`${folder}-away`, folder)
    },
    close: () => rm(folder, { recursive: true }),
  }
})

let folder: string
let store: BlobStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-blobs-'))
  store = diskBlobStore(folder)
  await store.open(true)
})
afterAll(() => rm(folder, { recursive: true }))

it('an empty folder is not initialized where blobs are expected', async () => {
  const elsewhere = diskBlobStore(join(folder, 'elsewhere'))
  await elsewhere.open(false)
  await expect(elsewhere.put(newBlobKey(), Readable.from([Buffer.from('x')]))).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await readdir(folder)).toEqual(['incoming'])
})

it('a folder that has disappeared is not created again', async () => {
  await rename(folder, `${folder}-away`)
  await expect(store.put(newBlobKey(), Readable.from([Buffer.from('x')]))).rejects.toMatchObject({ kind: 'unavailable' })
  await rename(`${folder}-away`, folder)
  expect(await namesBelow(folder)).toEqual([])
})

it('the age of a blob is the time of its last write', async () => {
  const [old, young] = [newBlobKey(), newBlobKey()]
  for (const key of [old, young]) await store.put(key, Readable.from([Buffer.from('x')]))
  await utimes(join(folder, old.slice(0, 2), old.slice(2, 4), old), new Date(0), new Date(0))
  const keys: string[] = []
  for await (const key of store.olderThan(new Date(Date.now() - 60_000))) keys.push(key)
  expect(keys).toEqual([old])
})

it.each([
  ['a stream', () => Readable.from([Buffer.from('x')])],
  ['bytes', () => Buffer.from('x')],
])('the bytes of %s are synced before the file is renamed, and the folders before put resolves', async (_what, content) => {
  const key = newBlobKey()
  const path = join(folder, key.slice(0, 2), key.slice(2, 4), key)
  const synchronized: [path: string, isNamed: boolean][] = []
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync } = prototype
  const spy = jest.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    synchronized.push([await readlink(`/proc/self/fd/${this.fd}`), existsSync(path)])
  })
  await store.put(key, content()).finally(() => spy.mockRestore())
  const [bytes, ...folders] = synchronized
  expect(bytes).toEqual([join(folder, 'incoming', key), false])
  expect(folders.sort()).toEqual([folder, dirname(dirname(path)), dirname(path)].map((each) => [each, true]))
})

it('the chunks of a stream are freed after they are written, and the bytes of a caller are not', async () => {
  const [streamed, kept] = [Buffer.allocUnsafeSlow(65_536), Buffer.allocUnsafeSlow(65_536)]
  await store.put(newBlobKey(), Readable.from([streamed]))
  await store.put(newBlobKey(), kept)
  expect([streamed.length, kept.length]).toEqual([0, 65_536])
})
