import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { databaseUrlVariable, serviceNames } from '@caseway/registry'
import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { localVariables } from '../deploy/caseway/src/local-installation.js'
import { caseway } from '../deploy/caseway/test/support/installation.js'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { asOwner, rowsOf } from './support/databases.js'
import { administratorOf } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import { createdId } from './support/samples.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let office: HttpClient
let another: HttpClient
const client = { id: '', other: '' }
const issue = { id: '', other: '' }

/** Texts that only the records of this person contain. */
const person = {
  ...{ firstname: 'Zdzisława', lastname: 'Żółcikanarek', company_name: 'Kanarkopol' },
  ...{ email: 'zz.canary@erased.example', phone: '+48 611 722 833' },
}
const privately = { email: 'private.canary@home.example', phone: '22 844 955 066' }
const namesake = { firstname: 'Zdzisława', lastname: 'Inna', email: 'another@stays.example' }
const canaries = ['zdzislawa', 'Zdzisława', 'kanarek', 'canary', 'Kanarkopol', '611722833', '611 722 833', '844 955 066']
const fullName = `${person.firstname} ${person.lastname}`

const idOf = (answer: Parameters<typeof createdId>[0]): string => {
  const id = createdId(answer)
  if (!id) throw new Error(answer.text)
  return id
}
const create = async (api: HttpClient, wrapper: string, path: string, record: object) => idOf(await api.post(path, { [wrapper]: record }))

const operatorWith = (env: NodeJS.ProcessEnv, ...argv: string[]) => caseway(env, ...argv, '--json')
const operator = (...argv: string[]) => operatorWith({ ...process.env, CASEWAY_HOME: home }, ...argv)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())

/** The places with texts of the person: all columns of all tables of all services, for one office or all, and stored messages. */
async function places(customerId?: string): Promise<string[]> {
  const patternsOf = (words: readonly string[]) =>
    [...words, ...words.map((word) => Buffer.from(word).toString('hex'))].map((word) => `'%${word}%'`).join(', ')
  const found: string[] = []
  for (const service of serviceNames) {
    const tables = await rowsOf<{ name: string; of_offices: boolean }>(
      home,
      service,
      `SELECT format('%I.%I', schemaname, tablename) AS name, EXISTS (
         SELECT FROM information_schema.columns WHERE table_schema = schemaname AND table_name = tablename AND column_name = 'customer_id'
       ) AS of_offices FROM pg_tables WHERE schemaname IN ('public', 'kit') ORDER BY 1`,
    )
    for (const { name, of_offices } of tables) {
      if (customerId !== undefined && !of_offices) continue
      const patterns = patternsOf(canaries.filter((word) => !(firstName.test(word) && ofNamesake.includes(`${service}: ${name}`))))
      const within = customerId === undefined ? 'true' : `customer_id = ${customerId}`
      const rows = await rowsOf(
        home,
        service,
        `SELECT FROM ${name} AS kept WHERE ${within} AND kept::text ILIKE ANY (ARRAY[${patterns}]) LIMIT 1`,
      )
      if (rows.length > 0) found.push(`${service}: ${name}`)
    }
  }
  return found
}

/** Rows of a namesake, who has the same first name. */
const ofNamesake = [
  'auth: public.client_links',
  'auth: public.clients',
  'cases-and-counters: public.issue_documents',
  'cases-and-counters: public.issue_sentences',
]
const firstName = /zdzis/i

const officeId = (index: number) => demo.offices[index]?.customer_id ?? ''

/** Creates the records of the person at an office, and of a namesake. */
async function known(api: HttpClient, email = person.email) {
  const id = await create(api, 'Client', '/client', { ...person, email })
  await create(api, 'IssueInitiator', '/issue_initiator', { ...cardOf(person), ...privately, user_client_id: null, email })
  return id
}
const cardOf = ({ firstname, lastname }: { firstname: string; lastname: string }) => ({ first_name: firstname, last_name: lastname })

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  ;[office, another] = await Promise.all([administratorOf(demo, 0), administratorOf(demo, 1)])
  client.id = await known(office)
  client.other = await create(office, 'Client', '/client', namesake)
  const user_client_id = client.id
  const company = { company_name: person.company_name }
  await eventually(async () => {
    const card = await create(office, 'IssueInitiator', '/issue_initiator', { ...cardOf(person), ...privately, ...company, user_client_id })
    issue.id = await create(office, 'Issue', '/issue', { subject: `Taxes of ${fullName}`, user_client_id, issue_initiator_id: card })
  })
  const sentence = `Dear Zdzisława, we have written to ${person.email} and called 611-722-833. Kanarkopol is a client of ours.`
  await create(office, 'IssueSentence', '/issue_sentence', { issue_id: issue.id, body: sentence, status: 'sent' })
  await create(office, 'Comment', '/comment', { issue_id: issue.id, body: `Ask ${person.lastname} again.` })
  await create(office, 'IssuePaymentOffer', '/issue_payment_offer', { issue_id: issue.id, amount: '1.00', name: fullName })
  issue.other = await create(office, 'Issue', '/issue', { subject: 'Somebody else', user_client_id: client.other })
  await create(office, 'IssueSentence', '/issue_sentence', {
    issue_id: issue.other,
    body: `Zdzisława, ${fullName} was here.`,
    status: 'sent',
  })
  await create(office, 'Tag', '/tag', { name: fullName, user_id: demo.offices[0]?.accounts.administrator.user_id })
  const provider = await create(office, 'Provider', '/provider', { name: 'Provider', email: person.email })
  await create(office, 'ProviderPerson', '/provider_person', { ...cardOf(person), provider_id: provider, email: privately.email })
  const form = new FormData()
  form.set('file', new Blob(['Sample']), `${fullName}.txt`)
  await office.post('/common_file', form)
  await answered()
  const mailbox = await create(office, 'MailServer', '/mail_server', {
    ...{ user_email: 'office@office.example', user_login: 'sample', user_password: 'sample' },
    ...{ server_protocol: 1, server_address: 'smtp.sample.example', server_port: 465 },
  })
  const mail = { mail_subject: fullName, mail_body: `<p>${fullName}</p>`, mail_to_name: [fullName] }
  await create(office, 'MailSentMysqlMessage', '/mail_sent_mysql_message', {
    ...{ ...mail, mail_server_id: mailbox, mail_to_address: [person.email], status: 4 },
  })
  await create(office, 'MailTemplate', '/mail_template', { name: fullName, mail_body: `<p>${person.email}</p>` })
  await received()
  await known(another)
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

/** Stores a message from the person with its original, as the receiving engine does. */
async function received(): Promise<void> {
  const insert = `
    INSERT INTO mail_received_messages (customer_id, mail_server_id, user_id, mail_thread_id, "timestamp", mail_address, mail_name, mail_to, mail_cc,
      mail_subject, mail_body, body_text, has_attachments, is_read, folder_name, size, sha256, blob_key)
    VALUES ($1, 1, 1, 1, now(), $2, $3, '[]', '[]', $3, $3, $3, false, true, 'CLIENTS', 6, $4, 'kept')`
  await asOwner(home, 'mail', async (owner) => {
    await owner.query(insert, [officeId(0), person.email, fullName, Buffer.alloc(32, 1)])
    await owner.query(insert, [officeId(0), namesake.email, `A letter about ${fullName}`, Buffer.alloc(32, 2)])
    // From an address that only a business card has.
    await owner.query(insert, [officeId(0), privately.email, 'Sample', Buffer.alloc(32, 3)])
  })
}

/** The person answers a poll, which opens a case. */
async function answered(): Promise<void> {
  const widget = await create(office, 'ChatWidget', '/chat_widget', { url: 'https://sample.example' })
  await office.put(`/chat_widget/${widget}`, { ChatWidget: { settings: '{"open_case":true}' } })
  const { body } = await office.get<{ ChatWidget: { external_hash: string } }>(`/chat_widget/${widget}`)
  const { company_name: company, ...contact } = person
  const saved = await httpClient(demo.client_base_url).post('/poll_answers/save', [
    { type: 'header', data: { poll_id: `${officeId(0)}-${body.ChatWidget.external_hash}` } },
    { type: 'shortQuestion', data: { title: 'What is it about?', required: false, value: `Mrs ${person.lastname}` } },
    { type: 'contact', data: { ...contact, company } },
  ])
  expect(saved.status).toBe(201)
  const leads = `SELECT FROM senders WHERE kind = 'lead' AND address = '${person.email}'`
  await eventually(async () => expect(await rowsOf(home, 'mail', leads)).toHaveLength(1))
  const cases = `SELECT FROM issue_sentences WHERE object_name = 'PollAnswer'`
  await eventually(async () => expect(await rowsOf(home, 'cases-and-counters', cases)).toHaveLength(1))
}

const sentencesOf = async (id: string) => {
  const { body } = await office.get<{ IssueSentence: { body: string } }[]>(`/issue_sentence?issue_id=${id}`)
  return body.map(({ IssueSentence }) => IssueSentence.body)
}
const found = async (api: HttpClient, q: string) => (await api.get<unknown[]>(`/issue?q=${encodeURIComponent(q)}`)).body.length

describe('a person who is erased at one office', () => {
  it('is found in no table of any service there, also after an interrupted command', async () => {
    expect((await places(officeId(0))).length).toBeGreaterThan(15)
    expect(await found(office, person.email)).toBeGreaterThan(0)
    const withoutMail = { ...process.env, ...localVariables(home), [databaseUrlVariable('mail')]: 'postgresql://mail:x@127.0.0.1:1/mail' }
    const brokenOff = await operatorWith(withoutMail, 'person', 'erase', '--client', client.id, '--office', officeId(0))
    expect([brokenOff.code, await places(officeId(0))]).toEqual([1, expect.arrayContaining(['mail: public.mail_received_messages'])])
    const { code, out, err } = await operator('person', 'erase', '--client', client.id, '--office', officeId(0))
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ client_id: client.id, customer_ids: [officeId(0)], account_erased: false })
    await eventually(async () => expect(await places(officeId(0))).toEqual([]))
  })

  it('leaves the cases of the office as they were, without the person', async () => {
    expect(await sentencesOf(issue.id)).toEqual(['Dear ***, we have written to *** and called ***. *** is a client of ours.'])
    expect(await sentencesOf(issue.other)).toEqual(['Zdzisława, *** was here.'])
    expect((await office.get(`/issue/${issue.id}`)).body).toMatchObject({ Issue: { subject: 'Taxes of ***', status: 'new' } })
    expect([await found(office, person.email), await found(office, person.lastname), await found(office, 'Taxes')]).toEqual([0, 0, 1])
    expect((await office.get(`/client/${client.id}`)).status).toBe(404)
  })

  it('leaves another client of the office alone', async () => {
    expect((await office.get(`/client/${client.other}`)).body).toMatchObject({ Client: namesake })
  })

  it('is known to the other office as before', async () => {
    expect((await places(officeId(1))).length).toBeGreaterThan(1)
    expect(await rowsOf(home, 'auth', `SELECT email::text FROM clients WHERE id = ${client.id}`)).toEqual([{ email: person.email }])
  })
})

describe('a person who is erased everywhere', () => {
  it('has no account any more, and no service knows them', async () => {
    const { code, out } = await operator('person', 'erase', '--client', client.id)
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, customer_ids: [officeId(1)], account_erased: true })
    await eventually(async () => expect(await places()).toEqual([]))
    expect(filesBelow(join(home, 'mail')).filter((path) => readFileSync(path).includes('canary'))).toEqual([])
    const again = ['person', 'erase', '--client', client.id]
    expect(await operator(...again)).toMatchObject({ code: 1, err: `There is no client ${client.id}.` })
    expect(await operator(...again, '--office', officeId(1))).toMatchObject({
      code: 1,
      err: `Office ${officeId(1)} knows no client ${client.id}.`,
    })
  })

  it('is in the trail by their id', async () => {
    const trail = await rowsOf(home, 'auth', `SELECT subject FROM audit_events WHERE kind = 'client.erased'`)
    expect(trail).toEqual([1, 2, 3].map(() => ({ subject: `client:${client.id}` })))
  })
})
