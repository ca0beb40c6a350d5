import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { takeLock } from './lock.js'
import { Problem } from './problem.js'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseway-lock-'))
  path = join(folder, 'lock.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the lock of a folder', () => {
  it('is held by one, and free again when he gives it back', async () => {
    const release = await takeLock(path)
    await expect(takeLock(path)).rejects.toThrow(`Caseway is already running from this folder (process ${process.pid}).`)
    release()
    const again = await takeLock(path)
    again()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['is no more', { pid: 2 ** 22 + 1, port: 1, token: 'gone' }],
    ['has become another program', { pid: process.pid, port: 1, token: 'other' }],
    ['was killed while it wrote', undefined],
  ])('is taken over when its holder %s', async (_, holder) => {
    writeFileSync(path, JSON.stringify(holder) ?? '{"pid":')
    const release = await takeLock(path)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('goes to one of many who find it abandoned', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, port: 1, token: 'gone' }))
    const takers = await Promise.allSettled(Array.from({ length: 10 }, () => takeLock(path)))
    const refused = takers.flatMap((taker) => (taker.status === 'rejected' ? [taker.reason] : []))
    expect(refused).toHaveLength(9)
    expect(refused.every((reason) => reason instanceof Problem)).toBe(true)
    for (const taker of takers) if (taker.status === 'fulfilled') taker.value()
  })
})
