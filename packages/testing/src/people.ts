import { LinkState } from '@caseway/protos/auth/v1/events'
import type { Topic } from '@caseway/protos/topic'
import { customerTopic, groupTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { describe, expect, it } from '@jest/globals'
import type { TestDatabase } from './database.js'
import { eventually } from './eventually.js'
import { customer, group, link, user } from './fake-auth.js'
import { randomId } from './ids.js'
import { withSettings } from './scoped-access.js'

/** A running service with copies of people. */
export interface PeopleKeeper {
  readonly database: TestDatabase
  /** Resolves when the consumers have handled the events. */
  publish<T>(topic: Topic<T>, ...events: T[]): Promise<void>
}

type Keeper = () => PeopleKeeper

const suites = { customers: itKeepsOffices, users: itKeepsUsers, client_links: itKeepsLinks, groups: itKeepsGroups }

/**
 * Tests that the tables of a service fit the copies of `@caseway/people`, and that its wiring fills and maintains them.
 * @param tables exactly those that it has
 * @param keeper called by each test
 */
export function itKeepsPeople(tables: readonly (keyof typeof suites)[], keeper: Keeper): void {
  describe('copies of people', () => {
    it('are filled from the snapshot of auth', async () => {
      const filled = () =>
        keeper().database.rows<{ name: string }>(
          'SELECT name FROM kit.copy_state WHERE stale_since IS NULL AND name = ANY ($1) ORDER BY name',
          [Object.keys(suites)],
        )
      await eventually(async () => expect((await filled()).map(({ name }) => name)).toEqual([...tables].sort()), { timeoutMs: 20_000 })
    })

    for (const table of tables) describe(table, () => suites[table](keeper))
  })
}

/** Orders of three events, each delivered twice. */
const orders = [
  [0, 1, 2, 0, 1, 2],
  [2, 1, 0, 0, 1, 2],
  [1, 2, 2, 0, 1, 0],
]

interface Kept<T> {
  readonly table: string
  readonly topic: Topic<T>
  /** Three states of a record, with ascending revisions. */
  readonly states: (id: bigint) => T[]
  /** The columns after the last state. */
  readonly newest: Readonly<Record<string, unknown>>
}

function itKeepsTheNewest<T>(keeper: Keeper, { table, topic, states, newest }: Kept<T>): void {
  it.each(orders)('keeps the newest state: %i %i %i %i %i %i', async (...order) => {
    const id = randomId()
    const events = states(id)
    await keeper().publish(topic, ...order.map((index) => events[index] as T))
    const rows = await keeper().database.rows(`SELECT * FROM ${table} WHERE id = $1`, [id])
    expect(rows).toEqual([expect.objectContaining({ id: String(id), revision: '3', ...newest })])
  })
}

function itKeepsUsers(keeper: Keeper): void {
  const customerId = randomId()
  const named = (revision: bigint) => ({ email: `${revision}@office.example`, firstname: 'Jan', lastname: `Kowalski ${revision}` })
  const states = (id: bigint) =>
    [1n, 2n, 3n].map((revision) => user({ id, customerId, ...named(revision), active: revision !== 2n, revision }))
  itKeepsTheNewest(keeper, {
    ...{ table: 'users', topic: userTopic, states },
    newest: { customer_id: String(customerId), ...named(3n), active: true },
  })
}

function itKeepsOffices(keeper: Keeper): void {
  const zones = ['Europe/Warsaw', 'Europe/Berlin', 'Europe/Rome']
  const states = (id: bigint) => zones.map((timeZone, index) => customer({ id, timeZone, revision: BigInt(index + 1) }))
  itKeepsTheNewest(keeper, { table: 'customers', topic: customerTopic, states, newest: { time_zone: 'Europe/Rome' } })
}

function itKeepsGroups(keeper: Keeper): void {
  const customerId = randomId()
  const states = (id: bigint) => [1n, 2n, 3n].map((revision) => group({ id, customerId, deleted: revision === 3n, revision }))
  itKeepsTheNewest(keeper, { table: 'groups', topic: groupTopic, states, newest: { customer_id: String(customerId), deleted: true } })
}

function itKeepsLinks(keeper: Keeper): void {
  const pair = { customerId: randomId(), clientId: randomId() }
  const changes = [{ state: LinkState.INVITED }, { state: LinkState.ACTIVE }, { state: LinkState.ACTIVE, banned: true }]
  const states = (id: bigint) => changes.map((change, index) => link({ id, ...pair, ...change, revision: BigInt(index + 1) }))
  const newest = { client_id: String(pair.clientId), linked: false, state: 'banned', state_revision: '3' }
  itKeepsTheNewest(keeper, { table: 'client_links', topic: linkTopic, states, newest })

  const openOffices = (clientId: bigint) =>
    withSettings(keeper().database, { 'app.client_id': String(clientId) }, async (connection) => {
      const { rows } = await connection.query<{ offices: string[] }>('SELECT client_offices() AS offices')
      return rows[0]?.offices
    })

  it.each([
    ['invited', { state: LinkState.INVITED }, true],
    ['active', { state: LinkState.ACTIVE }, true],
    ['ended', { state: LinkState.ENDED }, true],
    ['banned', { state: LinkState.ACTIVE, banned: true }, false],
    ['erased', { state: LinkState.ERASED }, false],
    ['in a state of a later build', { state: 99 as LinkState }, false],
  ])('opens the office to a client whose link is %s', async (_, change, open) => {
    const [customerId, clientId] = [randomId(), randomId()]
    await keeper().publish(linkTopic, link({ customerId, clientId, ...change }))
    expect(await openOffices(clientId)).toEqual(open ? [String(customerId)] : [])
  })

  it('closes the office while the state is not known, because an older build has advanced the revision alone', async () => {
    const ended = link({ customerId: randomId(), clientId: randomId(), state: LinkState.ENDED })
    await keeper().publish(linkTopic, ended)
    await keeper().database.rows('UPDATE client_links SET revision = 2, linked = false WHERE id = $1', [ended.id])
    expect(await openOffices(ended.clientId)).toEqual([])
    await keeper().publish(linkTopic, { ...ended, revision: 2n })
    expect(await openOffices(ended.clientId)).toEqual([String(ended.customerId)])
  })
}
