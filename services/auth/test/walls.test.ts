import { randomBytes } from 'node:crypto'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Auth, type Office, type Person, startAuthService } from './support/auth.js'

let auth: Auth
let office: Office
let client: Person
let stranger: Person
beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office()
  const other = await auth.office()
  client = await auth.client(office)
  stranger = await auth.client(other)
  const http = await auth.asExpert(office.administrator)
  await http.put(`/user/${office.trainee.id}/permission`, [{ UserPermission: { key: 'reports.all', allowed: '1' } }])
  const { body } = await http.get<{ User: { user_role_id: string } }>(`/user/${office.trainee.id}`)
  await http.put(`/user_role/${body.User.user_role_id}/permission`, [{ UserRolePermission: { key: 'reports.all', allowed: '1' } }])
  // Each leaves a row in the trail: of an office, and of the installation.
  expect((await (await auth.asExpert(office.trainee)).get('/audit_event')).status).toBe(403)
  const wrong = { grant_type: 'password', client_id: auth.clientId, username: 'nobody', password: randomBytes(8).toString('hex') }
  expect((await auth.token(wrong)).status).toBe(400)
})
afterAll(() => auth.stop())

/** Numbers of tries by hashes of names, which the limiter counts on connections of its own. */
const open = ['login_failures', 'office_requests', 'token_requests']

const tables = async () =>
  (
    await auth.database.rows<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = ANY('{r,v}')",
    )
  )
    .map(({ name }) => name)
    .filter((name) => name !== '_prisma_migrations' && !open.includes(name))

async function connected(settings: Record<string, string>): Promise<pg.Client> {
  const connection = new pg.Client(auth.database.url)
  await connection.connect()
  for (const [name, value] of Object.entries(settings)) await connection.query('SELECT set_config($1, $2, false)', [name, value])
  return connection
}

/** How many rows of each table somebody with these settings sees, as the service's own role. */
async function visible(settings: Record<string, string>): Promise<Record<string, number>> {
  const connection = await connected(settings)
  const counts: Record<string, number> = {}
  for (const name of await tables()) {
    const { rows } = await connection.query<{ seen: number }>(`SELECT count(*)::int AS seen FROM "${name}"`)
    if (rows[0]?.seen) counts[name] = rows[0].seen
  }
  await connection.end()
  return counts
}

it('every table has its wall, also for its owner', async () => {
  const without = await auth.database.rows(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)`,
  )
  expect(without.map(({ relname }) => relname).sort()).toEqual(['_prisma_migrations', ...open])
  const views = await auth.database.rows(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY(reloptions), false)`,
  )
  expect(views).toEqual([])
})

it('nobody sees anything without a scope', async () => {
  expect(await visible({})).toEqual({})
  expect(await visible({ 'app.customer_id': String(randomId()) })).toEqual({})
  expect(await visible({ 'app.client_id': String(randomId()) })).toEqual({})
})

it('an office sees what is its own', async () => {
  const links = { client_links: 1, office_clients: 1, office_client_cards: 1, active_links: 1, office_links: 1 }
  const trail = { audit_events: expect.any(Number), audit_trail: expect.any(Number) }
  const own = { customers: 1, users: 4, user_roles: 4, user_permissions: 1, user_role_permissions: 1, clients: 1, ...links, ...trail }
  expect(await visible({ 'app.customer_id': String(office.customerId) })).toEqual(own)
})

it('a client sees their account and their links', async () => {
  expect(await visible({ 'app.client_id': String(client.id) })).toEqual({
    ...{ clients: 1, client_links: 1, office_clients: 1, office_client_cards: 1, active_links: 1, office_links: 1 },
  })
})

it('the platform sees everything', async () => {
  const seen = await visible({ 'app.platform': 'on' })
  expect(Object.keys(seen).sort()).toEqual((await tables()).sort())
  expect(seen).toMatchObject({ customers: 2, users: 8, clients: 2 })
})

it('an office sees a client no more when the link has ended', async () => {
  const settings = { 'app.customer_id': String(office.customerId) }
  await (await auth.asExpert(office.expert)).delete(`/client/${client.id}`)
  const { clients, client_links } = await visible(settings)
  expect([clients, client_links]).toEqual([undefined, 1])
  await auth.service.administration.linkClient(client.id, office.customerId)
  expect(await visible(settings)).toMatchObject({ clients: 1 })
})

it('an office writes nothing into another, and nobody but the platform writes accounts', async () => {
  const connection = await connected({ 'app.customer_id': String(office.customerId) })
  const insert = "INSERT INTO user_roles (customer_id, name, base_role) VALUES ($1, 'x', 1)"
  await expect(connection.query(insert, [String(randomId())])).rejects.toThrow('row-level security')
  await expect(connection.query("UPDATE clients SET firstname = 'x'")).resolves.toMatchObject({ rowCount: 0 })
  await expect(connection.query("INSERT INTO clients (email, firstname, lastname) VALUES ('x', 'x', 'x')")).rejects.toThrow(
    'row-level security',
  )
  expect((await connection.query('SELECT id FROM clients WHERE id = $1', [String(stranger.id)])).rowCount).toBe(0)
  await connection.end()
})
