import { registry, serviceNames } from '@caseway/registry'
import { eventually, type HttpClient } from '@caseway/testing'
import { expect } from '@jest/globals'
import { grant, inDatabase, type Scene } from './canaries.js'

const json = { 'content-type': 'application/json' }

export async function bodiesThatFail(at: Scene, api: HttpClient): Promise<void> {
  await api.request('POST', '/issue', `{"Issue": {"subject": "${at.text('malformed')}`, json)
  await api.post('/issue', { Issue: { subject: [at.text('in a list')], priority: at.text('as a number') } })
  await api.put('/user/me', { User: { current_password: at.secret('wrong current'), password: at.secret('new password') } })
  await api.put('/user/me', { User: { current_password: at.secrets.password, password: at.secret('x').repeat(9) } })
  await api.post('/user', {
    User: { email: `${at.text('no address')}`, firstname: 'A', lastname: 'B', password: at.secret('of a new one') },
  })
  const twice = { User: { email: `${at.text('twice').toLowerCase()}@office.example`, firstname: at.marker, lastname: 'B' } }
  at.texts.twice = twice.User.email
  expect((await api.post('/user', twice)).status).toBe(201)
  expect((await api.post('/user', { User: { ...twice.User, password: at.secret('of a taken address') } })).status).toBe(400)
  await api.get(`/tag?${at.marker}=1`)
}

export async function changesThatFail(at: Scene, api: HttpClient): Promise<void> {
  const key = { 'idempotency-key': at.secret('idempotency key') }
  const subject = { Issue: { subject: at.text('subject') } }
  const { body } = await api.post<{ id: number }>('/issue', subject, key)
  expect((await api.post('/issue', { Issue: { subject: 'another' } }, key)).status).toBe(409)
  await api.post('/issue', subject, { 'idempotency-key': at.secret('too long').repeat(9) })
  expect((await api.put(`/issue/${body.id}`, subject, { 'if-match': '"99"' })).status).toBe(412)
  const trainee = at.demo.offices[0]?.accounts.trainee ?? { username: '', password: '' }
  at.keep('password of a trainee', trainee.password)
  const { body: signedIn } = await grant(at, { grant_type: 'password', username: trainee.username, password: trainee.password })
  const another = { User: { email: 'a@office.example', firstname: 'A', lastname: 'B', password: at.secret('denied') } }
  const headers = { 'x-request-id': `${at.marker}-refused` }
  expect((await at.experts.as(signedIn.access_token).post('/user', another, headers)).status).toBe(403)
}

/** Provokes internal errors, whose driver errors contain the request. */
export async function faults(at: Scene, api: HttpClient): Promise<void> {
  const inCases = (sql: string) => inDatabase(at, sql, registry.casesAndCounters.name)
  await inCases('CREATE UNIQUE INDEX made_for_the_test ON tags (name)')
  const unique = { Tag: { name: at.text('unique') } }
  expect((await api.post('/tag', unique)).status).toBe(201)
  expect((await api.post('/tag', unique)).status).toBe(500)
  await inCases("ALTER TABLE issues ADD CONSTRAINT made_for_the_test CHECK (subject NOT LIKE '%checked%')")
  expect((await api.post('/issue', { Issue: { subject: at.text('checked') } })).status).toBe(500)
  await inCases('ALTER TABLE issues DROP CONSTRAINT made_for_the_test')
  await inDatabase(at, 'ALTER TABLE users ADD CONSTRAINT made_for_the_test CHECK (length(phone) < 5)')
  const changes = { User: { phone: at.text('phone').slice(0, 40), current_password: at.secrets.password, password: at.secret('fault') } }
  at.texts.phone = changes.User.phone
  expect((await api.put('/user/me', changes)).status).toBe(500)
  await inDatabase(at, 'ALTER TABLE users DROP CONSTRAINT made_for_the_test')
}

const killAll = (at: Scene, service: string) =>
  inDatabase(
    at,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${service}' AND pid <> pg_backend_pid()`,
    'postgres',
  )

/** Sends requests while databases are unavailable and connections are killed. */
export async function outages(at: Scene, api: HttpClient): Promise<void> {
  for (const service of serviceNames) await inDatabase(at, `ALTER ROLE "${service}" CONNECTION LIMIT 0`, 'postgres')
  for (const service of serviceNames) await killAll(at, service)
  const statuses = [
    await grant(at, { grant_type: 'password', username: 'a@b.example', password: at.secret('during an outage') }),
    await grant(at, { grant_type: 'refresh_token', refresh_token: at.secret('refresh token during an outage') }),
    await api.post('/issue', { Issue: { subject: at.text('during an outage') } }, { 'idempotency-key': at.secret('key during an outage') }),
  ]
  for (const service of serviceNames) await inDatabase(at, `ALTER ROLE "${service}" CONNECTION LIMIT -1`, 'postgres')
  expect(statuses.map(({ status }) => status)).toEqual([503, 503, 503])
  await eventually(async () => expect((await api.get('/tag')).status).toBe(200), { timeoutMs: 15_000 })
  await api.get('/tag', { 'x-request-id': `${at.marker}-last` })
  await eventually(
    async () => expect(await inDatabase(at, 'SELECT FROM kit.dead_letter', registry.casesAndCounters.name)).not.toEqual([]),
    {
      timeoutMs: 20_000,
    },
  )
}
