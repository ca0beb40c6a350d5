import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type BlobKey, type BlobStore, type ByteRange, newBlobKey } from '@caseway/kit/blobs'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

/** A blob store under test. */
export interface TestStore {
  readonly store: BlobStore
  /** The names of all stored objects and unfinished uploads. */
  names(): Promise<readonly string[]>
  /** Makes the storage unavailable. Resolves to the function that restores it. */
  takeAway(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Larger than one part, so that it is a multipart upload. */
const large = randomBytes(5_500_000)
/** Splits content into chunks as a socket does. */
function* pieces(content: Buffer) {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
const unavailable = expect.objectContaining({ kind: 'unavailable' })
const aMinute = 60_000

/** The tests that every blob store must pass. */
export const itKeepsBlobs = (name: string, open: () => Promise<TestStore>) =>
  describe(`blobs ${name}`, () => {
    let test: TestStore
    let store: BlobStore
    beforeAll(async () => {
      test = await open()
      store = test.store
      await store.open(true)
    })
    afterAll(() => test?.close())

    const put = async (content: Buffer | string, key = newBlobKey()): Promise<BlobKey> => {
      await store.put(key, Readable.from(pieces(Buffer.from(content)), { objectMode: false }))
      return key
    }
    const read = async (key: BlobKey, range?: ByteRange) => {
      const content = await store.get(key, range)
      return content && buffer(content)
    }
    const text = async (key: BlobKey, range?: ByteRange) => (await read(key, range))?.toString()
    const older = async (moment: number) => {
      const keys: BlobKey[] = []
      for await (const key of store.olderThan(new Date(moment))) keys.push(key)
      return keys
    }
    /** Begins an upload, and resolves when the storage has its first bytes. `content` continues it; `ended` resolves to its outcome. */
    const begin = async (key: BlobKey) => {
      const content = new PassThrough()
      const ended = store.put(key, content).then(
        () => 'stored',
        (error) => error,
      )
      for (const piece of pieces(large)) content.write(piece)
      await eventually(async () => expect(await older(Date.now() + aMinute)).toContain(key))
      return { content, ended }
    }

    it('are read whole or in part, with their size', async () => {
      const key = await put('0123456789')
      expect([await text(key), await text(key, { start: 3, end: 6 }), await text(key, { start: 9, end: 9 })]).toEqual([
        '0123456789',
        '3456',
        '9',
      ])
      expect(await store.sizeOf(key)).toBe(10)
    })

    it('may be empty, and larger than a part of an upload', async () => {
      const [empty, whole] = [await put(''), await put(large)]
      expect([await text(empty), await store.sizeOf(empty)]).toEqual(['', 0])
      expect((await read(whole))?.equals(large)).toBe(true)
      expect((await read(whole, { start: 5_242_879, end: 5_242_881 }))?.equals(large.subarray(5_242_879, 5_242_882))).toBe(true)
    })

    it('can be stored from memory as well', async () => {
      const [empty, part] = [newBlobKey(), newBlobKey()]
      await store.put(empty, new Uint8Array())
      await store.put(part, large.subarray(3, 5_300_000))
      expect([await text(empty), (await read(part))?.equals(large.subarray(3, 5_300_000))]).toEqual(['', true])
    })

    it('that were never stored, or were removed, do not exist', async () => {
      const key = await put('x')
      await store.remove(key)
      await store.remove(key)
      for (const each of [key, newBlobKey()]) expect([await read(each), await store.sizeOf(each)]).toEqual([undefined, undefined])
      expect(await test.names()).not.toContain(key)
    })

    it('can be stored concurrently', async () => {
      const contents = Array.from({ length: 8 }, (_, index) =>
        index % 4 === 0 ? Buffer.from(large).fill(index, 0, 9) : randomBytes(index * 1_000),
      )
      const keys = await Promise.all(contents.map((content) => put(content)))
      for (const [index, key] of keys.entries()) expect((await read(key))?.equals(contents[index] as Buffer)).toBe(true)
    })

    it.each([
      ['before a part is full', 'half'],
      ['in the middle of parts', large],
    ])('of a sender that breaks off %s leave nothing', async (_when, first) => {
      const [key, broken] = [newBlobKey(), new Error('The sender has gone.')]
      async function* cut() {
        yield* pieces(Buffer.from(first))
        throw broken
      }
      await expect(store.put(key, Readable.from(cut(), { objectMode: false }))).rejects.toBe(broken)
      expect([await read(key), await store.sizeOf(key)]).toEqual([undefined, undefined])
      expect(await test.names()).not.toContain(key)
    })

    it('can be read only when they are stored completely', async () => {
      const key = newBlobKey()
      const { content, ended } = await begin(key)
      expect([await read(key), await store.sizeOf(key)]).toEqual([undefined, undefined])
      content.end('the end')
      expect(await ended).toBe('stored')
      expect(await store.sizeOf(key)).toBe(large.length + 7)
    })

    it('are listed by their age, with unfinished uploads, which can be removed', async () => {
      const [whole, begun] = [await put('whole'), newBlobKey()]
      const { content, ended } = await begin(begun)
      expect(await older(Date.now() + aMinute)).toEqual(expect.arrayContaining([whole, begun]))
      expect(await older(Date.now() - aMinute)).toEqual([])
      await store.remove(begun)
      expect(await test.names()).not.toContain(begun)
      content.destroy()
      expect(await ended).not.toBe('stored')
    })

    it('may be left by a reader at any time', async () => {
      const key = await put(large)
      for (let i = 0; i < 20; i++) for await (const _chunk of (await store.get(key)) ?? []) break
      expect((await read(key))?.equals(large)).toBe(true)
    })

    it('are unavailable while the storage is down, and readable when it is back', async () => {
      const key = await put('before')
      const bringBack = await test.takeAway()
      const work = [store.get(key), store.sizeOf(key), store.remove(newBlobKey()), put('x'), put(large), older(Date.now())]
      const outcomes = await Promise.allSettled(work)
      await bringBack()
      expect(outcomes).toEqual(work.map(() => ({ status: 'rejected', reason: unavailable })))
      expect(await text(key)).toBe('before')
      await put('after')
    })
  })
