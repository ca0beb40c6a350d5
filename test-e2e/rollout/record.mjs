// Records the data of a running build, for tests of later builds: node test-e2e/rollout/record.mjs <home> <file>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { serviceNames } from '@caseway/registry'
import pg from 'pg'

const [home, file] = process.argv.slice(2)
const parse = (name) => JSON.parse(readFileSync(join(home, name), 'utf8'))
const demo = parse('demo.json')
const office = demo.offices[0]

/** Tables with short-lived or secret rows, which are not recorded. */
const passing = ['_prisma_migrations', 'signing_keys', 'sessions', 'refresh_tokens', 'event_tickets', 'login_failures', 'token_requests']

async function call(token, method, path, body) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${demo.base_url}/rest${path}`, { method, headers, body: body && JSON.stringify(body) })
  const parsed = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(parsed)}`)
  return { parsed, location: answer.headers.get('location')?.replace(/^.*\/rest/, '') }
}

async function signIn({ username, password }) {
  const { parsed } = await call('', 'POST', '/token', { grant_type: 'password', client_id: demo.client_id, username, password })
  return parsed.access_token
}

/** Creates some records of every kind. */
async function work(token) {
  const { administrator, expert, trainee } = office.accounts
  const { location: tag } = await call(token, 'POST', '/tag', { Tag: { name: 'Urgent', color_background: 'ff0000' } })
  await call(token, 'PUT', tag, { Tag: { name: 'Very urgent' } })
  for (const user_id of [null, expert.user_id, trainee.user_id]) {
    await call(token, 'POST', '/issue', { Issue: { subject: `For ${user_id ?? 'nobody'}`, user_id } })
  }
  const { location: delegated } = await call(token, 'POST', '/issue', { Issue: { subject: 'Delegated', user_id: expert.user_id } })
  await call(token, 'PUT', delegated, { Issue: { delegated_user_id: trainee.user_id } })
  const { location: closed } = await call(token, 'POST', '/issue', { Issue: { subject: 'Closed', user_id: expert.user_id } })
  await call(token, 'PUT', closed, { Issue: { status: 'closed' } })
  const admin = await signIn(administrator)
  await call(admin, 'PUT', `/user/${trainee.user_id}`, { User: { lastname: 'Renamed' } })
}

async function dump(service) {
  const { postgres: password } = parse('secrets.json')
  const client = new pg.Client({
    host: '127.0.0.1',
    port: runningServer(join(home, 'postgres')).port,
    user: 'postgres',
    password,
    database: service,
  })
  await client.connect()
  const { rows: tables } = await client.query(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'kit') AND tablename <> ALL ($1) ORDER BY 1`,
    [passing],
  )
  const rows = {}
  for (const { name } of tables) {
    const { rows: found } = await client.query(`SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY t::text`)
    if (found.length > 0) rows[name] = found.map(({ row }) => row)
  }
  const { rows: migrations } = await client.query('SELECT max(migration_name) AS last FROM public._prisma_migrations')
  await client.end()
  return { migration: migrations[0].last, rows }
}

const token = await signIn(office.accounts.expert)
await work(token)
const answers = {}
for (const path of ['/tag', '/issue', '/counter', '/user']) answers[path] = (await call(token, 'GET', path)).parsed
const services = {}
for (const name of serviceNames) services[name] = await dump(name)
const { client_id } = demo
writeFileSync(file, `${JSON.stringify({ client_id, account: office.accounts.expert, answers, services }, null, 1)}\n`)
