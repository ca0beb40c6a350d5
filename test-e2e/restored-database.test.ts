import { randomUUID } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseway } from '../deploy/caseway/test/support/installation.js'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { asOwner, rowsOf } from './support/databases.js'
import { type SignedIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let administrator: SignedIn
let expert: SignedIn
let demo: Demo

async function start(): Promise<void> {
  launcher = launch(home)
  demo = await launcher.ready()
  administrator = await signInAs(demo, 'administrator')
  expert = await signInAs(demo, 'expert')
}
beforeAll(start)
afterAll(async () => {
  await launcher?.stop()
  remove()
})

/** Copies a database with `CREATE DATABASE … TEMPLATE`; nobody may be connected to it. */
const copyDatabase = (from: string, to: string) =>
  asOwner(home, 'postgres', async (owner) => {
    await owner.query(`ALTER DATABASE "${from}" ALLOW_CONNECTIONS false`)
    await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1)', [[from, to]])
    await owner.query(`DROP DATABASE IF EXISTS "${to}" WITH (FORCE)`)
    await owner.query(`CREATE DATABASE "${to}" TEMPLATE "${from}"`)
    await owner.query(`ALTER DATABASE "${from}" ALLOW_CONNECTIONS true`)
  })
const backUp = async (service: string) => {
  await copyDatabase(service, `${service}-backup`)
  await eventually(async () => expect((await expert.api.get('/tag')).status).toBe(200), { timeoutMs: 15_000 })
}
/** Restores the backup of a service, and restarts it. */
const restore = async (service: string) => {
  await copyDatabase(`${service}-backup`, service)
  await launcher.stop()
  await start()
}

const command = async (...argv: string[]) => {
  const { code, out, err } = await caseway({ ...process.env, CASEWAY_HOME: home }, ...argv)
  expect({ argv, code, err }).toEqual({ argv, code: 0, err: '' })
  return out
}
/** The steps of docs/operations.md, in order. */
const repair = async (service: string) => {
  await command('ids', 'advance', '--service', service, '--by', '1000')
  await command('copy', 'resync')
}

async function newColleague(firstname: string): Promise<string> {
  const User = { email: `${randomUUID()}@office.example`, firstname, lastname: 'Colleague' }
  return String((await administrator.api.post<{ id: number }>('/user', { User })).body.id)
}
const rename = (id: string, firstname: string) => administrator.api.put(`/user/${id}`, { User: { firstname } })
const newCase = async (user_id: string | null) =>
  String((await expert.api.post<{ id: number }>('/issue', { Issue: { subject: 'A case', user_id } })).body.id)
const officeId = async () => (await expert.api.get<{ User: { customer_id: string } }>('/user/me')).body.User.customer_id
const copiedUser = async (id: string) =>
  (await rowsOf<{ id: string }>(home, 'cases-and-counters', `SELECT id FROM users WHERE id = ${id}`))[0]

describe('cases-and-counters, restored to an earlier state', () => {
  it('has the present people and right counters, and reuses no id that another service may know', async () => {
    await backUp('cases-and-counters')
    const colleague = await newColleague('Anna')
    const lost = await newCase(colleague)
    await eventually(async () => expect(await copiedUser(colleague)).toEqual({ id: colleague }))

    await restore('cases-and-counters')
    expect(await copiedUser(colleague)).toBeUndefined()
    await repair('cases-and-counters')

    expect(await copiedUser(colleague)).toEqual({ id: colleague })
    const { status } = await expert.api.get(`/issue/${lost}`)
    expect(status).toBe(404)
    const made = await newCase(colleague)
    expect(BigInt(made)).toBeGreaterThan(BigInt(lost))
    expect(await command('counters', 'recount', '--office', await officeId())).toBe('Every counter is right.')
  })
})

describe('auth, restored to an earlier state', () => {
  it('is accepted again by services with later states of its records', async () => {
    const colleague = await newColleague('Barbara')
    const email = async (service: string) => (await rowsOf(home, service, `SELECT * FROM users WHERE id = ${colleague}`))[0]
    await backUp('auth')
    for (const name of ['Celina', 'Dorota', 'Ewa']) expect((await rename(colleague, name)).status).toBe(200)
    await eventually(async () => expect(await email('cases-and-counters')).toMatchObject({ revision: '4' }))
    const lost = await newColleague('Gabriela')
    await eventually(async () => expect(await copiedUser(lost)).toEqual({ id: lost }))

    await restore('auth')
    await repair('auth')
    expect((await expert.api.post('/issue', { Issue: { subject: 'A case', user_id: lost } })).status).toBe(400)
    expect(await email('cases-and-counters')).toMatchObject({ revision: '1' })
    expect((await administrator.api.put(`/user/${colleague}`, { User: { active: 0 } })).status).toBe(200)
    await eventually(async () => expect(await email('cases-and-counters')).toMatchObject({ active: false, revision: '2' }))
    expect(BigInt(await newColleague('Felicja'))).toBeGreaterThan(BigInt(colleague) + 1000n)
  })
})

describe('mail, restored to an earlier state', () => {
  it('has its folder counts accepted again, and those of lost messages and folders are not shown', async () => {
    const newMailbox = async ({ api }: SignedIn) => {
      const MailServer = {
        ...{ user_name: 'Anna', user_email: 'anna@office.example', user_login: 'anna', user_password: 'secret', server_protocol: 1 },
        ...{ server_address: 'smtp.office.example', server_port: 465, server_encryption: 2 },
      }
      return (await api.post<{ id: number }>('/mail_server', { MailServer })).body.id
    }
    const newDraft = async ({ api }: SignedIn, mail_server_id: number) =>
      expect((await api.post('/mail_sent_mysql_message', { MailSentMysqlMessage: { mail_server_id, status: 4 } })).status).toBe(201)
    const itShows = ({ api }: SignedIn, drafts: number, customFolders: object) =>
      eventually(async () =>
        expect((await api.get<{ Counter: Record<string, object> }>('/counter')).body.Counter.MailReceivedMysqlMessage).toMatchObject({
          drafts,
          customFolders,
        }),
      )
    const mailbox = await newMailbox(expert)
    await newDraft(expert, mailbox)
    await itShows(expert, 1, {})
    await backUp('mail')
    for (const _ of 'lost') await newDraft(expert, mailbox)
    const specialist = await signInAs(demo, 'specialist')
    const lost = await newMailbox(specialist)
    for (const _ of 'lost') await newDraft(specialist, lost)
    const folder = (await expert.api.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'Lost' } })).body.id
    await itShows(expert, 5, { [folder]: 0 })
    await itShows(specialist, 4, {})

    await restore('mail')
    await repair('mail')
    expect(await command('mail', 'recount', '--office', await officeId())).toBe('Every count is right.')
    await itShows(expert, 1, {})
    await newDraft(expert, mailbox)
    await itShows(expert, 2, {})
    const again = await signInAs(demo, 'specialist')
    await itShows(again, 0, {})
    await newDraft(again, await newMailbox(again))
    await itShows(again, 1, {})
  })
})
