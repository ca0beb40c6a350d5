import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { office } from '@caseway/kit/database'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

/** A proxy of the database that refuses all connections until `open` is set, and then all but the first `most`. */
async function closedWay({ most = Number.POSITIVE_INFINITY } = {}) {
  const { hostname, port } = new URL(notes.url)
  const way = { refused: 0, open: false }
  let passed = 0
  const server = createServer((down) => {
    if (way.open && passed < most) {
      passed++
      const up = connect(Number(port), hostname)
      for (const socket of [down, up]) socket.on('error', () => socket.destroy())
      down.pipe(up).pipe(down)
    } else {
      way.refused++
      down.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(notes.url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return Object.assign(way, { url: url.href, close: () => server.close() })
}

const connections = async () =>
  (await notes.rows('SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')).length

describe('the warm-up of a database', () => {
  it.each([
    { max: 2, opened: 2 },
    { max: 9, opened: 4 },
  ])('opens connections that the first reads use: $opened of at most $max', async ({ max, opened }) => {
    const before = await connections()
    const db = notes.open({ max })
    await db.warmUp()
    expect(await connections()).toBe(before + opened)
    const reads = Array.from({ length: opened }, () => db.read(office(randomId())).note.count())
    expect(await Promise.all(reads)).toEqual(reads.map(() => 0))
    expect(await connections()).toBe(before + opened)
    await db.close()
    await eventually(async () => expect(await connections()).toBe(before))
  })

  it('resolves with fewer connections when the server accepts no more, and requests use those', async () => {
    const way = await closedWay({ most: 1 })
    way.open = true
    const db = notes.open({ max: 4 }, way.url)
    await db.warmUp()
    expect(way.refused).toBe(3)
    expect(await db.read(office(randomId())).note.count()).toBe(0)
    expect(way.refused).toBe(3)
    await db.close()
    way.close()
  })

  it('waits for a database that is unavailable, for longer than a request does', async () => {
    const way = await closedWay()
    const db = notes.open({ max: 1 }, way.url)
    let warm = false
    const warming = db.warmUp().then(() => (warm = true))
    const triesOfARequest = 3
    await eventually(() => expect(way.refused).toBeGreaterThan(2 * triesOfARequest))
    expect(warm).toBe(false)
    way.open = true
    await warming
    await db.close()
    way.close()
  })

  it('lets the service start without its database when that stays unavailable', async () => {
    const way = await closedWay()
    const db = notes.open({ max: 1 }, way.url)
    await db.warmUp({ timeoutMs: 200 })
    await expect(db.read(office(randomId())).note.count()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(way.refused).toBeGreaterThan(0)
    way.close()
  })
})
