import { setImmediate as turn } from 'node:timers/promises'
import { createDatabase, platform } from '@caseway/kit/database'
import { createMetrics } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { PrismaClient } from '../support/src/generated/client.js'

let notes: Notes
let received: string[]
beforeAll(async () => {
  notes = await notesDatabase()
  await notes.db.listen('notified', (payload) => received.push(payload))
})
beforeEach(() => {
  received = []
})
afterAll(() => notes.stop())

describe('notify', () => {
  it('is sent after the commit, and not before', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const writing = notes.db.write(platform, async (tx) => {
      tx.$notify('notified', 'written')
      await mayEnd
    })
    notes.db.notify('notified', 'beside')
    await eventually(() => expect(received).toEqual(['beside']))
    end()
    await writing
    await eventually(() => expect(received).toEqual(['beside', 'written']))
  })

  it('is not sent when the transaction is rolled back', async () => {
    const undone = notes.db.write(platform, async (tx) => {
      tx.$notify('notified', 'undone')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    notes.db.notify('notified', 'later')
    await eventually(() => expect(received).toContain('later'))
    expect(received).toEqual(['later'])
  })

  it('sends the same payload once in ten milliseconds', async () => {
    for (let change = 0; change < 100; change++) {
      notes.db.notify('notified', 'often')
      notes.db.notify('notified', `change ${change}`)
    }
    await eventually(() => expect(received).toContain('change 99'))
    expect(received.filter((payload) => payload === 'often').length).toBeLessThanOrEqual(2)
    expect(received.filter((payload) => payload !== 'often')).toEqual(Array.from({ length: 100 }, (_, change) => `change ${change}`))
  })

  it('is sent before a database is closed', async () => {
    const db = createDatabase({ url: notes.url, client: PrismaClient, log, metrics: createMetrics('kit-test') })
    db.notify('notified', 'first')
    await turn()
    db.notify('notified', 'last')
    await db.close()
    await eventually(() => expect(received).toEqual(['first', 'last']))
  })
})
