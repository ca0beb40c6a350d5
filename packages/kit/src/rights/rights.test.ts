import { describe, expect, it } from '@jest/globals'
import type { Employee } from '../caller/index.js'
import { lastKnownRights, rememberedRights } from './index.js'

const anna: Employee = { audience: 'expert', role: 'trainee', userId: 1n, customerId: 2n, sessionId: 's' }

describe('rights that are asked for', () => {
  it('are those of the person at their office, each person asked for once', async () => {
    const lookups: string[] = []
    const hasRight = rememberedRights(async (customerId, userId) => {
      lookups.push(`${customerId} ${userId}`)
      return userId === 1n ? ['replies.approve'] : []
    })
    expect([await hasRight(anna, 'replies.approve'), await hasRight(anna, 'users.manage')]).toEqual([true, false])
    expect(await hasRight({ ...anna, userId: 3n }, 'replies.approve')).toBe(false)
    expect(lookups).toEqual(['2 1', '2 3'])
  })

  it('are fetched again after four seconds, so that a revoked right has no effect any more', async () => {
    let now = 1_000
    const rights = new Set(['replies.approve'])
    const hasRight = rememberedRights(
      async () => [...rights],
      () => now,
    )
    expect(await hasRight(anna, 'replies.approve')).toBe(true)
    rights.clear()
    now += 4_000
    expect(await hasRight(anna, 'replies.approve')).toBe(true)
    now += 1
    expect(await hasRight(anna, 'replies.approve')).toBe(false)
  })

  it('are refused while auth does not answer, and a failure is not cached', async () => {
    let known = false
    const hasRight = rememberedRights(async () => {
      if (!known) throw new Error('away')
      return ['replies.approve']
    })
    await expect(hasRight(anna, 'replies.approve')).rejects.toThrow('away')
    known = true
    expect(await hasRight(anna, 'replies.approve')).toBe(true)
  })
})

describe('rights that were known last', () => {
  it('are returned while auth does not answer, and fetched once in four seconds', async () => {
    let now = 1_000
    let lookups = 0
    let away = false
    const of = async () => {
      lookups += 1
      if (away) throw new Error('away')
      return ['mailbox.personal_mailbox']
    }
    const hasRight = rememberedRights(lastKnownRights(of), () => now)
    await hasRight(anna, 'mailbox.personal_mailbox')
    away = true
    now += 4_001
    const answers = [await hasRight(anna, 'mailbox.personal_mailbox'), await hasRight(anna, 'users.manage')]
    expect([answers, lookups]).toEqual([[true, false], 2])
    await expect(hasRight({ ...anna, userId: 3n }, 'users.manage')).rejects.toThrow('away')
  })

  it('are replaced as soon as auth answers again', async () => {
    const rights = new Set(['mailbox.personal_mailbox'])
    const rightsOf = lastKnownRights(async () => [...rights])
    await rightsOf(2n, 1n)
    rights.clear()
    expect(await rightsOf(2n, 1n)).toEqual([])
  })
})
