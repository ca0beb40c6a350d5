import { Folder } from '@caseway/protos/mail/v1/events'
import { eventually, type Person, randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { folderCountTopic } from '../src/counters/folder-count.consumer.js'
import { linkTopic, userTopic } from '../src/people/auth-topics.js'
import { type Cases, openIssue, startCases } from './support/cases.js'
import { link, user } from './support/fake-auth.js'

let cases: Cases
let here: TestTenant
let client: Person<unknown>
beforeAll(async () => {
  cases = await startCases()
  await eventually(async () => expect(await cases.database.rows('SELECT name FROM kit.copy_state')).toHaveLength(3))
  here = await cases.officeIn('Europe/Rome')
  client = cases.client(here)
  const { customerId } = here
  await cases.publish(userTopic, user({ id: here.expert.userId, customerId }))
  await cases.publish(linkTopic, link({ customerId, clientId: client.userId }))
  await cases.publish(folderCountTopic, { customerId, userId: 0n, folder: Folder.CLIENTS, folderId: 0n, count: 1, revision: 1n })
  const http = cases.asExpert(here.expert)
  await openIssue(http, { user_client_id: String(client.userId) })
  await openIssue(http)
  await http.post('/tag', { Tag: { name: 'Here' } })
  await http.post('/event/ticket')
})
afterAll(() => cases.stop())

const tables = async () =>
  (
    await cases.database.rows<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    )
  )
    .map(({ name }) => name)
    .filter((name) => name !== '_prisma_migrations')

/** How many rows of each table somebody with these settings sees, as the service's own role. */
async function visible(settings: Record<string, string>): Promise<Record<string, number>> {
  const connection = new pg.Client(cases.database.url)
  await connection.connect()
  for (const [name, value] of Object.entries(settings)) await connection.query('SELECT set_config($1, $2, false)', [name, value])
  const counts: Record<string, number> = {}
  for (const name of await tables()) {
    const { rows } = await connection.query<{ seen: number }>(`SELECT count(*)::int AS seen FROM "${name}"`)
    if (rows[0]?.seen) counts[name] = rows[0].seen
  }
  await connection.end()
  return counts
}

it('every table of an office has its wall, also for its owner', async () => {
  const open = await cases.database.rows(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)`,
  )
  expect(open.map(({ relname }) => relname).sort()).toEqual(['_prisma_migrations', 'feeds'])
})

it('every table that admits clients asks whether the office is open to them', async () => {
  const policies = await cases.database.rows<{ tablename: string; policyname: string }>(
    `SELECT tablename, policyname FROM pg_policies WHERE qual LIKE '%app.client_id%' AND qual NOT LIKE '%client_offices%' ORDER BY 1`,
  )
  // A client sees the links themselves; entries of a feed name no case of a closed office, see `feedRepository.read`.
  expect(policies.map(({ tablename }) => tablename)).toEqual(['client_links', 'feed_entries'])
})

it('nobody sees anything without a scope, and a scope sees its own', async () => {
  const feeds = { feeds: 2 }
  expect(await visible({})).toEqual(feeds)
  expect(await visible({ 'app.customer_id': String(randomId()) })).toEqual(feeds)
  expect(await visible({ 'app.client_id': String(randomId()) })).toEqual(feeds)
  expect(await visible({ 'app.client_id': String(client.userId) })).toEqual({ ...feeds, issues: 1, feed_entries: 1, client_links: 1 })
  const copies = { users: 1, customers: 1, client_links: 1, mail_folder_counts: 1 }
  const own = { ...feeds, ...copies, issues: 2, issue_numbers: 1, issue_counters: 1, tags: 1, feed_entries: 4 }
  expect(await visible({ 'app.customer_id': String(here.customerId) })).toEqual(own)
  expect(await visible({ 'app.platform': 'on' })).toEqual({ ...own, event_tickets: 1 })
})

it('a client locks their cases, and changes none outside of its office', async () => {
  const connection = new pg.Client(cases.database.url)
  await connection.connect()
  await connection.query("SELECT set_config('app.client_id', $1, false)", [String(client.userId)])
  expect((await connection.query('SELECT id FROM issues FOR UPDATE')).rowCount).toBe(1)
  await expect(connection.query("UPDATE issues SET subject = 'x'")).rejects.toThrow('row-level security')
  await connection.end()
})
