import { createDatabase, platform } from '@caseway/kit/database'
import { createMetrics } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { postgresProxy } from '../support/postgres-proxy.js'
import { PrismaClient } from '../support/src/generated/client.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

const notify = (channel: string, payload: string) =>
  notes.db.query(platform, CompiledQuery.raw('SELECT pg_notify($1, $2)', [channel, payload]))
const disconnect = () =>
  notes.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()")

describe('listen', () => {
  it('receives the notifications of its own channel, until it is stopped', async () => {
    const received: string[] = []
    const first = await notes.db.listen('one', (payload) => received.push(`first ${payload}`))
    const second = await notes.db.listen('one', (payload) => received.push(`second ${payload}`))
    await notes.db.listen('other', (payload) => received.push(`other ${payload}`))
    await notify('one', 'a')
    await eventually(() => expect(received).toEqual(['first a', 'second a']))
    await first.stop()
    await notify('one', 'b')
    await notify('other', 'c')
    await eventually(() => expect(received).toEqual(['first a', 'second a', 'second b', 'other c']))
    await second.stop()
  })

  it('reconnects when the connection is lost, and calls onReconnect', async () => {
    const received: string[] = []
    let gaps = 0
    await notes.db.listen('lasting', { onPayload: (payload) => received.push(payload), onReconnect: () => gaps++ })
    for (const round of [1, 2]) {
      await disconnect()
      await eventually(() => expect(gaps).toBe(round))
      await notify('lasting', `after ${round}`)
    }
    await eventually(() => expect(received).toEqual(['after 1', 'after 2']))
  })

  it('detects a connection on which the server no longer answers, and reconnects', async () => {
    const proxy = await postgresProxy(notes.url)
    const metrics = createMetrics('kit-test')
    const db = createDatabase({ url: proxy.url, client: PrismaClient, heartbeat: { intervalMs: 50, deadlineMs: 50 }, log, metrics })
    const received: string[] = []
    await db.listen('silent', { onPayload: (payload) => received.push(payload), onReconnect: () => received.push('reconnected') })
    await notify('silent', 'before')
    await eventually(() => expect(received).toEqual(['before']))
    proxy.silence()
    await eventually(() => expect(received).toEqual(['before', 'reconnected']))
    await notify('silent', 'after')
    await eventually(() => expect(received).toEqual(['before', 'reconnected', 'after']))
    proxy.silence()
    await db.close()
    proxy.stop()
  })

  it('keeps its one connection when a LISTEN fails', async () => {
    const db = notes.open()
    const [{ at }] = (await notes.rows('SELECT clock_timestamp()::text AS at')) as [{ at: string }]
    const opened = () =>
      notes.rows("SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database() AND backend_start > $1", [at])
    for (const _ of [1, 2, 3]) await expect(db.listen('', () => undefined)).rejects.toThrow(/zero-length/)
    expect(await opened()).toHaveLength(1)
    const received: string[] = []
    await db.listen('kept', (payload) => received.push(payload))
    await notify('kept', 'payload')
    await eventually(() => expect(received).toEqual(['payload']))
    expect(await opened()).toHaveLength(1)
  })

  it('continues after the transaction in which it was called', async () => {
    const received: Promise<number>[] = []
    const db = notes.open()
    await db.write(platform, async () => {
      await db.listen('outlives', () => received.push(db.read(platform).note.count()))
    })
    await notify('outlives', '')
    await eventually(() => expect(received).toHaveLength(1))
    expect(await received[0]).toBe(0)
  })

  it('resolves while the database is unavailable, and receives notifications as soon as it is back', async () => {
    const proxy = await postgresProxy(notes.url)
    proxy.away(true)
    const db = createDatabase({ url: proxy.url, client: PrismaClient, log, metrics: createMetrics('kit-test') })
    const received: string[] = []
    const listener = (name: string) => ({
      onPayload: (payload: string) => received.push(`${name} ${payload}`),
      onReconnect: () => received.push(name),
    })
    await db.listen('early', listener('first'))
    await db.listen('early', listener('second'))
    const other = await db.listen('early', listener('other'))
    await other.stop()
    await expect(db.read(platform).note.count()).rejects.toMatchObject({ kind: 'unavailable' })
    proxy.away(false)
    await eventually(() => expect(received).toEqual(['first', 'second']))
    await notify('early', 'a')
    await eventually(() => expect(received).toEqual(['first', 'second', 'first a', 'second a']))
    await db.close()
    proxy.stop()
  })

  it('stops reconnecting when the database is closed, also while it is unavailable', async () => {
    const away = async () => {
      const proxy = await postgresProxy(notes.url)
      proxy.away(true)
      const db = createDatabase({ url: proxy.url, client: PrismaClient, log, metrics: createMetrics('kit-test') })
      await db.listen('never', () => undefined)
      return { proxy, db }
    }
    const [ended, beside] = [await away(), await away()]
    await ended.db.close()
    const attempts = ended.proxy.attempts()
    // Pauses between tries double, and are randomly up to twice as long: two more tries of the other database take longer than one of this.
    const later = Math.max(attempts, beside.proxy.attempts()) + 2
    await eventually(() => expect(beside.proxy.attempts()).toBeGreaterThanOrEqual(later))
    expect(ended.proxy.attempts()).toBe(attempts)
    await beside.db.close()
    for (const { proxy } of [ended, beside]) proxy.stop()
  })
})
