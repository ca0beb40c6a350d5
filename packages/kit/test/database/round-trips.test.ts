import { office, platform } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Db, type Notes, notesDatabase, type Tx } from '../support/notes.js'
import { type PostgresProxy, postgresProxy } from '../support/postgres-proxy.js'

let notes: Notes
let proxy: PostgresProxy
let db: Db
beforeAll(async () => {
  notes = await notesDatabase()
  proxy = await postgresProxy(notes.url)
  db = notes.open({ max: 1 }, proxy.url)
})
afterAll(async () => {
  await db.close()
  proxy.stop()
  await notes.stop()
})

const id = randomId()
const scope = office(id)
const count = (tx: Tx) => tx.$queryRaw`SELECT count(*) FROM notes`

/** Statements that do not wait for each other share a packet, and BEGIN, the scope and savepoints need no round trip of their own. */
describe('the packets to the server', () => {
  it.each<[string, number, () => Promise<unknown>]>([
    ['a read', 1, () => db.read(scope).note.count()],
    ['a write of one statement', 2, () => db.write(scope, count)],
    ['a write of three that are sent at once', 2, () => db.write(scope, (tx) => Promise.all([count(tx), count(tx), count(tx)]))],
    ['a write of two consecutive statements', 3, () => db.write(scope, async (tx) => [await count(tx), await count(tx)])],
    ['a write in a write', 2, () => db.write(scope, () => db.write(platform, count))],
    [
      'a write in a write that is rolled back',
      3,
      () =>
        db.write(scope, async () => {
          const undone = db.write(scope, async (tx) => {
            await count(tx)
            throw new Error('undone')
          })
          await undone.catch(() => undefined)
          await db.write(scope, count)
        }),
    ],
    ['a write that sends nothing', 0, () => db.write(scope, async () => undefined)],
  ])('of %s are %i', async (_, packets, send) => {
    // From now on the connection is open, and the statements are prepared.
    await send()
    const before = proxy.packets()
    await send()
    expect(proxy.packets() - before).toBe(packets)
  })
})
