import { office, platform } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { counterRepository } from '../../src/counters/counter.repository.js'
import type { Db } from '../../src/database.js'
import { type CasesDatabase, casesDatabase } from '../support/database.js'

let database: CasesDatabase
beforeAll(async () => {
  database = await casesDatabase()
})
afterAll(() => database.stop())

it('the statement itself is limited to the office, not only by row-level security', async () => {
  const { db } = database
  const [here, there, userId] = [randomId(), randomId(), randomId()]
  for (const customerId of [here, there]) {
    await db.write(office(customerId), async (tx) => {
      await tx.issueCounter.create({ data: { customerId, counter: 'owned', userId, otherUserId: 0n, value: 1 } })
      await tx.mailFolderCount.create({ data: { customerId, userId, folder: 'drafts', folderId: 0n, value: 2, revision: 1n } })
    })
  }
  // In the scope of the platform, row-level security admits every row.
  const pipelined: Pick<Db, 'query'> = { query: (_, statement) => db.pipelined.query(platform, statement) }
  const unlimited = { pipelined } as Pick<Db, 'pipelined'> as Db
  for (const everybody of [false, true]) {
    const { issues, folders } = await counterRepository(unlimited).read(here, [userId], everybody)
    expect([issues, folders]).toEqual([[expect.objectContaining({ value: 1 })], [expect.objectContaining({ value: 2 })]])
  }
})
