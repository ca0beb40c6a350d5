import { randomBytes } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { withSettings } from '@caseway/testing/scoped-access'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { tables } from '../src/tables.js'
import { type Auth, type Office, type Person, startAuthService } from './support/auth.js'
import { secondFactors } from './support/second-factor.js'

let auth: Auth
let office: Office
let client: Person
beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office()
  const other = await auth.office()
  client = await auth.client(office)
  await auth.client(other)
  const http = await auth.asExpert(office.administrator)
  await http.put(`/user/${office.trainee.id}/permission`, [{ UserPermission: { key: 'reports.all', allowed: '1' } }])
  const { body } = await http.get<{ User: { user_role_id: string } }>(`/user/${office.trainee.id}`)
  await http.put(`/user_role/${body.User.user_role_id}/permission`, [{ UserRolePermission: { key: 'reports.all', allowed: '1' } }])
  const { body: group } = await http.post<{ id: number }>('/group', { Group: { name: 'Accounts' } })
  await http.post('/group/user_group', { UserGroup: { user_id: String(office.trainee.id), group_id: group.id } })
  await secondFactors(() => auth).setUp(http, office.administrator)
  expect((await auth.http('expert').post('/password_reset', { email: office.expert.username })).status).toBe(200)
  await eventually(async () => expect(await auth.database.rows('SELECT FROM mailed_links')).toHaveLength(1))
  // Each request leaves a row in the audit trail: one of an office, and one of the installation.
  expect((await (await auth.asExpert(office.trainee)).get('/audit_event')).status).toBe(403)
  const wrong = { grant_type: 'password', client_id: auth.clientId, username: 'nobody', password: randomBytes(8).toString('hex') }
  expect((await auth.token(wrong)).status).toBe(400)
  await auth.database.rows("INSERT INTO office_imports (hash, customer_id, blocks) VALUES (sha256('export'), $1, '{}')", [
    office.customerId,
  ])
})
afterAll(() => auth.stop())

itIsolatesTenants(tables, () => ({ database: auth.database, customerId: office.customerId, clientId: client.id }))

/** The accounts of clients that an office sees, and the number of links. */
const clientsOf = ({ customerId }: Office) =>
  withSettings(auth.database, { 'app.customer_id': String(customerId) }, async (connection) => ({
    accounts: (await connection.query<{ id: string }>('SELECT id::text FROM clients')).rows.map(({ id }) => BigInt(id)),
    links: (await connection.query('SELECT FROM client_links')).rowCount,
  }))

it('an office sees the accounts of its own clients, until the link has ended', async () => {
  expect(await clientsOf(office)).toEqual({ accounts: [client.id], links: 1 })
  await (await auth.asExpert(office.expert)).delete(`/client/${client.id}`)
  expect(await clientsOf(office)).toEqual({ accounts: [], links: 1 })
  await auth.service.administration.linkClient(client.id, office.customerId)
  expect(await clientsOf(office)).toEqual({ accounts: [client.id], links: 1 })
})
