import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError, conflict, limited } from '../../src/errors/index.js'
import { everyLimit, type Limits, postgresLimits } from '../../src/limits/index.js'
import { log, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
const copies: Limits[] = []
const copy = () => {
  const limits = postgresLimits(notes.url, log)
  copies.push(limits)
  return limits
}
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(async () => {
  await Promise.all(copies.map((limits) => limits.close()))
  await notes.stop()
})

const rule = { name: 'knocks', points: 3, seconds: 60 }
const times = (count: number, work: () => Promise<void>) => Promise.allSettled(Array.from({ length: count }, work))
const refusals = (results: PromiseSettledResult<void>[]) => results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
const pointsOf = async (key: string) =>
  (await notes.rows<{ points: number }>('SELECT points FROM kit.rate_limit WHERE key = $1', [key]))[0]?.points
const expire = (key: string) => notes.rows('UPDATE kit.rate_limit SET expire = expire - 60000 WHERE key = $1', [key])

describe('a limit', () => {
  it('is shared by all copies: of ten concurrent counts three pass', async () => {
    const [one, other] = [copy().limit(rule), copy().limit(rule)]
    const results = await Promise.all([times(5, () => one.count(['copies'])), times(5, () => other.count(['copies']))])
    const refused = refusals(results.flat())
    expect(refused).toHaveLength(7)
    for (const error of refused) expect(error).toMatchObject({ kind: 'limit', code: 'TOO_MANY_REQUESTS' })
    expect(Math.max(...refused.map((error) => error.retryAfterSeconds))).toBeLessThanOrEqual(60)
    expect(Math.min(...refused.map((error) => error.retryAfterSeconds))).toBeGreaterThan(50)
  })

  it('is reset after its window', async () => {
    const limit = copy().limit(rule)
    await times(4, () => limit.count(['window']))
    await expect(limit.check(['window'])).rejects.toThrow(AppError)
    await expire('knocks:window')
    await limit.check(['window'])
    await limit.count(['window'])
    expect(await pointsOf('knocks:window')).toBe(1)
  })

  it('refuses when one of several keys is used up, and counts by key and by name', async () => {
    const limits = copy()
    const [limit, other] = [limits.limit(rule), limits.limit({ ...rule, name: 'others' })]
    await times(3, () => limit.count(['several']))
    await limit.check(['unknown'])
    await expect(limit.check(['unknown', 'several'])).rejects.toMatchObject({ kind: 'limit' })
    await expect(limit.count(['fresh', 'several'])).rejects.toMatchObject({ kind: 'limit' })
    await other.count(['several'])
    expect(await pointsOf('knocks:fresh')).toBe(1)
  })

  it('does not count checks, and is reset by clear', async () => {
    const limit = copy().limit(rule)
    await times(3, () => limit.count(['cleared']))
    await times(5, () => limit.check(['cleared']))
    expect(await pointsOf('knocks:cleared')).toBe(3)
    await limit.clear(['cleared'])
    await limit.count(['cleared'])
    expect(await pointsOf('knocks:cleared')).toBe(1)
  })

  it('refuses from memory where the rule allows it, and otherwise queries the database', async () => {
    const limits = copy()
    for (const refusedFromMemory of [true, false]) {
      const name = `memory-${refusedFromMemory}`
      const limit = limits.limit({ ...rule, name, refusedFromMemory })
      expect(refusals(await times(9, () => limit.count(['flood']))).length).toBe(6)
      const counted = await pointsOf(`${name}:flood`)
      expect(refusals(await times(5, () => limit.count(['flood'])))).toHaveLength(5)
      expect(await pointsOf(`${name}:flood`)).toBe((counted ?? 0) + (refusedFromMemory ? 0 : 5))
    }
  })

  it('fails closed without the database', async () => {
    const limits = postgresLimits('postgresql://nobody@127.0.0.1:1/none', log)
    const limit = limits.limit(rule)
    for (const work of [limit.count(['a']), limit.check(['a']), limit.clear(['a'])]) {
      await expect(work).rejects.toMatchObject({ kind: 'unavailable' })
    }
    await limits.close()
  })
})

describe('several limits', () => {
  const refuse = (error: Error) => Promise.reject<void>(error)

  it('pass when each does', async () => {
    await everyLimit([Promise.resolve(), Promise.resolve()])
  })

  it('refuse for as long as the longest', async () => {
    const refused = everyLimit([refuse(limited(5)), Promise.resolve(), refuse(limited(50)), refuse(limited(7))])
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 50 })
  })

  it('fail by another error before any refusal', async () => {
    const failed = everyLimit([refuse(limited(5)), refuse(conflict('OTHER', 'Another error.'))])
    await expect(failed).rejects.toMatchObject({ code: 'OTHER' })
  })
})
