import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from '@jest/globals'
import { fileWriter } from './file-writer.js'

const mib = 1_048_576

/** A fake file that records what is written to it, at most `most` bytes per call, and calls `datasync` when it is synchronized. */
function recorded({ most = Number.POSITIVE_INFINITY, datasync = async (): Promise<void> => undefined } = {}) {
  const calls: number[] = []
  const written: Buffer[] = []
  const writev = async (chunks: Buffer[]) => {
    calls.push(chunks.length)
    const bytes = Buffer.concat(chunks).subarray(0, most)
    written.push(bytes)
    return { bytesWritten: bytes.length }
  }
  return { file: { writev, datasync } as unknown as FileHandle, calls, content: () => Buffer.concat(written) }
}

const chunksOf = (count: number, bytes: number) => Array.from({ length: count }, (_, each) => Buffer.alloc(bytes, String(each)))
const write = (chunks: Buffer[], file: FileHandle) => pipeline(Readable.from(chunks, { objectMode: false }), fileWriter(file))

it('bytes that a partial write leaves are written by the next call', async () => {
  const { file, content, calls } = recorded({ most: 1_000 })
  await write(chunksOf(5, 300), file)
  expect(content()).toEqual(Buffer.concat(chunksOf(5, 300)))
  expect(calls).toEqual([5, 2])
})

it('a call writes at most 1,024 chunks', async () => {
  const { file, content, calls } = recorded()
  await write(chunksOf(2_500, 1), file)
  expect(content()).toHaveLength(2_500)
  expect(Math.max(...calls)).toBe(1_024)
})

it('a large file is synchronized while more of it is received', async () => {
  let count = 0
  const { file } = recorded({ datasync: async () => void count++ })
  await write(chunksOf(3, mib), file)
  expect(count).toBe(0)
  await write(chunksOf(9, mib), file)
  expect(count).toBe(2)
})

it('the stream fails when any of the synchronizations fails', async () => {
  for (const failing of [1, 2]) {
    let count = 0
    const datasync = async () => {
      if (++count === failing) throw new Error('EIO')
    }
    await expect(write(chunksOf(9, mib), recorded({ datasync }).file)).rejects.toMatchObject({ kind: 'unavailable' })
  }
})

it('at most two files are synchronized at a time, and others are written meanwhile', async () => {
  const waiting: (() => void)[] = []
  const datasync = () => new Promise<void>((resolve) => waiting.push(resolve))
  const [first, second, third] = Array.from({ length: 3 }, () => write(chunksOf(5, mib), recorded({ datasync }).file))
  await third
  expect(waiting).toHaveLength(2)
  for (const resolve of waiting) resolve()
  await Promise.all([first, second])
})
