import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { acquireLock } from './lock.js'
import { Problem } from './problem.js'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseway-lock-'))
  path = join(folder, 'lock.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the lock of a folder', () => {
  it('has one holder, and is free after its release', async () => {
    const release = await acquireLock(path)
    await expect(acquireLock(path)).rejects.toThrow(`Caseway is already running from this folder (process ${process.pid}).`)
    release()
    const again = await acquireLock(path)
    again()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['is no more', { pid: 2 ** 22 + 1, port: 1, token: 'gone' }],
    ['has become another program', { pid: process.pid, port: 1, token: 'other' }],
    ['was killed while it wrote', undefined],
  ])('is taken over when its holder %s', async (_, holder) => {
    writeFileSync(path, JSON.stringify(holder) ?? '{"pid":')
    const release = await acquireLock(path)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken over by exactly one of many', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, port: 1, token: 'gone' }))
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => acquireLock(path)))
    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
    expect(refused).toHaveLength(9)
    expect(refused.every((reason) => reason instanceof Problem)).toBe(true)
    for (const attempt of attempts) if (attempt.status === 'fulfilled') attempt.value()
  })
})
