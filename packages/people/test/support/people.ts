import { randomUUID } from 'node:crypto'
import type { Client, Id } from '@caseway/kit/caller'
import { createDatabase, type TransactionOf } from '@caseway/kit/database'
import { createCopies, createDirectTransport, startConsumers, type Topic } from '@caseway/kit/events'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { eventually, randomId, testDatabase } from '@caseway/testing'
import { type FakeAuth, fakeAuth } from '@caseway/testing/fake-auth'
import { publishEvents } from '@caseway/testing/publish'
import { expect } from '@jest/globals'
import { authDirectory, copiedGroups, copiedLinks, copiedOffices, copiedUsers } from '../../src/index.js'
import { PrismaClient } from './src/generated/client.js'

export type Tx = TransactionOf<PrismaClient>

export type Started = Awaited<ReturnType<typeof startPeople>>

export const clientOf = (userId: Id = randomId()): Client => ({
  ...{ audience: 'client', role: 'client', customerId: null },
  ...{ userId, sessionId: randomUUID() },
})

/**
 * All copies, as a service has them.
 * @param prepare sets the records of auth before the copies are filled
 */
export async function startPeople(prepare: (auth: FakeAuth) => void = () => undefined) {
  const [database, auth] = await Promise.all([
    testDatabase({ name: 'people', migrations: new URL('migrations', import.meta.url) }),
    fakeAuth(),
  ])
  prepare(auth)
  const [log, metrics] = [createLog({ service: 'people', level: 'silent' }), createMetrics('people')]
  const db = createDatabase({ url: database.url, client: PrismaClient, log, metrics })
  const transport = createDirectTransport()
  const closings: (() => unknown)[] = []
  const onClose = (_: string, close: () => unknown) => void closings.push(close)
  const directory = authDirectory({ peer: () => ({ address: auth.address, security: 'plaintext', log }), onClose })

  /** The clients that `onAccessChange` was called with. */
  const accessChanges: Id[] = []
  const offices = copiedOffices(db, directory, 'Europe/Warsaw')

  /** The people that `onInactive` was called with. */
  const inactiveUsers: Id[] = []
  const users = copiedUsers(db, directory, { onInactive: async (_, ids) => void inactiveUsers.push(...ids) })
  const links = copiedLinks(db, directory, {
    onAccessChange: async (_, changes) => void accessChanges.push(...changes.map(({ clientId }) => clientId)),
  })

  /** The groups that `onDeleted` was called with. */
  const deletedGroups: Id[] = []
  const groups = copiedGroups(db, directory, { onDeleted: async (_, groups) => void deletedGroups.push(...groups.map(({ id }) => id)) })

  const kept = [offices.copy, users.copy, links.copy, groups.copy]
  const consumers = kept.map(({ consumer }) => consumer)
  const consuming = await startConsumers({ transport, group: 'people', consumers, db, log, metrics })
  const copies = createCopies({ db, copies: kept, log })
  copies.fill()
  // The snapshot was read; from now on only events and calls of auth change the copies.
  await eventually(async () => expect(await database.rows('SELECT FROM kit.copy_state')).toHaveLength(kept.length), { timeoutMs: 20_000 })

  return {
    ...{ database, db, auth, directory, offices, users, links, groups, accessChanges, deletedGroups, inactiveUsers },
    publish: <T>(topic: Topic<T>, ...events: T[]) => publishEvents(transport, topic, events),
    async stop() {
      await copies.stop()
      await consuming.stop()
      await transport.stop()
      for (const close of closings) close()
      await db.close()
      await auth.stop()
      await database.drop()
    },
  }
}
