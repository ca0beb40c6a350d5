import { describe, expect, it } from '@jest/globals'
import type { Employee } from '../caller/index.js'
import { rememberedRights } from './index.js'

const anna: Employee = { audience: 'expert', role: 'trainee', userId: 1n, customerId: 2n, sessionId: 's' }

describe('rights that are asked for', () => {
  it('are those of the person at their office, each person asked for once', async () => {
    const asked: string[] = []
    const hasRight = rememberedRights(async (customerId, userId) => {
      asked.push(`${customerId} ${userId}`)
      return userId === 1n ? ['replies.approve'] : []
    })
    expect([await hasRight(anna, 'replies.approve'), await hasRight(anna, 'users.manage')]).toEqual([true, false])
    expect(await hasRight({ ...anna, userId: 3n }, 'replies.approve')).toBe(false)
    expect(asked).toEqual(['2 1', '2 3'])
  })

  it('are asked for again after four seconds, so that a right that was taken is gone', async () => {
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

  it('are nobody’s while nobody knows them, and a failure is not remembered', async () => {
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
