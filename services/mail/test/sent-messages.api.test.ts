import { randomUUID } from 'node:crypto'
import { office } from '@caseway/kit/database'
import { expertUrl, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { holdTransaction, meetAt, untilWaiting } from '@caseway/testing/held-transaction'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../src/wiring.js'
import { createMailServer } from './support/mail-servers.js'
import { countsOf, newMailbox, officeWithMail, type Receiver, receiver, storeOne } from './support/mailbox.js'
import { mailFolder } from './support/storage.js'

let storage: Awaited<ReturnType<typeof mailFolder>>
let service: TestService
let engine: Receiver
let here: TestTenant
let http: HttpClient
let mailbox: number
beforeAll(async () => {
  storage = await mailFolder()
  service = await testService(mail, { variables: { MAIL_ROLES: 'http', MAIL_FOLDER: storage.folder } })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
  await storage.remove()
})
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  mailbox = await createMailServer(http, smtp)
})

interface Shown {
  readonly MailSentMysqlMessage: Readonly<Record<string, string | null>> & { readonly id: string }
  readonly MailSentRecipient: readonly Readonly<Record<string, string>>[]
}

const path = '/mail_sent_mysql_message'
const smtp = { server_protocol: 1, server_address: 'smtp.office.example', server_port: 465 }
const done = { status: 200, body: { status: 'OK' } }
const notFound = { status: 404, body: { errorCode: 'NOT_FOUND' } }
const inState = { status: 409, body: { status: 'error', errorMessages: expect.any(String), errorCode: 'MAIL_SENT_MESSAGE_STATE' } }
const refused = (errorMessages: object) => ({ status: 400, body: { status: 'error', errorMessages } })
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const to = { mail_to_address: ['jan@client.example'], mail_to_name: ['Jan Client'] }

const post = (fields: object = {}, by = http) =>
  by.post<{ id: number }>(path, { MailSentMysqlMessage: { mail_server_id: mailbox, ...to, status: 4, ...fields } })
const made = async (fields: object = {}) => {
  const { status, body, text } = await post(fields)
  if (status !== 201) throw new Error(`The message was refused: ${status} ${text}`)
  return body.id
}
const put = (id: number, fields: object, by = http) => by.put(`${path}/${id}`, { MailSentMysqlMessage: fields })
const shown = async (id: number) => (await http.get<Shown>(`${path}/${id}`)).body
const message = async (id: number) => (await shown(id)).MailSentMysqlMessage
const recipients = async (id: number) =>
  (await shown(id)).MailSentRecipient.map(({ kind, address, name, state }) => [kind, address, name, state].join(' '))
const ids = async (query = '', by = http) =>
  (await by.get<Shown[]>(path + query)).body.map(({ MailSentMysqlMessage: { id } }) => Number(id))
const drafts = async () => {
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  return kept[`${here.expert.userId} DRAFTS 0`] ?? 0
}
/** As the sender leaves it. */
const set = (id: number, columns: string) => service.database.rows(`UPDATE mail_sent_messages SET ${columns} WHERE id = $1`, [id])

describe('POST /rest/mail_sent_mysql_message', () => {
  it('keeps a draft as it was sent', async () => {
    const { status, headers, body } = await post({ mail_subject: 'Zażółć', mail_body: '<p>gęślą</p>' })
    expect([status, body, headers.get('location')]).toEqual([201, { id: expect.any(Number) }, `${expertUrl}/rest${path}/${body.id}`])
    const { MailSentMysqlMessage, MailSentRecipient } = await shown(body.id)
    expect(MailSentMysqlMessage).toEqual({
      ...{ id: `${body.id}`, customer_id: `${here.customerId}`, user_id: `${here.expert.userId}`, mail_server_id: `${mailbox}` },
      ...{ client_id: null, mail_address: 'jan@client.example', mail_name: 'Jan Client', mail_subject: 'Zażółć' },
      ...{ mail_body: '<p>gęślą</p>', add_signature: '1' },
      ...{ status: '4', folder_name: 'DRAFTS', send_at: null, priority: '3', request_read_receipt: '0', reply_to_message_id: null },
      ...{ common_file_ids: [], issue_id: null, msg_unique_identifier: null, size: null, error: null },
      ...{ sent_at: null, created: time, modified: time },
    })
    expect(MailSentRecipient).toEqual([
      { sent_message_id: `${body.id}`, kind: 'to', address: 'jan@client.example', name: 'Jan Client', state: 'pending', error: '' },
    ])
  })

  it('queues what has the status 0, in the folder SENT', async () => {
    expect(await message(await made({ status: '0' }))).toMatchObject({ status: '0', folder_name: 'SENT' })
    expect(await message(await made({ status: 0 }))).toMatchObject({ status: '0' })
  })

  it('makes a draft of what has no status', async () => {
    expect(await message(await made({ status: undefined }))).toMatchObject({ status: '4', folder_name: 'DRAFTS' })
  })

  it('takes recipients of three kinds, one text for a list, and domains of every script', async () => {
    const id = await made({
      ...{ mail_to_address: 'anna@żółć.example', mail_to_name: 'Anna', mail_cc_address: ['b@x.example', 'c@x.example'] },
      ...{ mail_bcc_address: ['d@x.example'], mail_bcc_name: ['Dora'] },
    })
    const address = 'anna@xn--kda4b0koi.example'
    expect(await recipients(id)).toEqual([
      `to ${address} Anna pending`,
      'cc b@x.example  pending',
      'cc c@x.example  pending',
      'bcc d@x.example Dora pending',
    ])
    expect(await message(id)).toMatchObject({ mail_address: address, mail_name: 'Anna' })
  })

  it('writes once to an address that stands twice', async () => {
    const id = await made({ mail_to_address: ['a@x.example', 'A@X.example'], mail_to_name: ['A', 'B'], mail_cc_address: ['a@x.example'] })
    expect(await recipients(id)).toEqual(['to a@x.example A pending'])
  })

  it('changes names or addresses alone: who stays keeps the address, and the name', async () => {
    const id = await made({ mail_to_address: ['a@x.example', 'b@x.example'], mail_to_name: ['A', 'B'], mail_cc_address: ['c@x.example'] })
    await put(id, { mail_to_name: ['Anna', ''] })
    expect(await recipients(id)).toEqual(['to a@x.example Anna pending', 'to b@x.example  pending', 'cc c@x.example  pending'])
    await put(id, { mail_to_address: ['new@x.example', 'A@x.example'], mail_cc_name: ['C'] })
    expect(await recipients(id)).toEqual(['to new@x.example  pending', 'to A@x.example Anna pending', 'cc c@x.example C pending'])
    for (const mail_to_name of [[], ['one'], ['one', 'two', 'three']])
      expect(await put(id, { mail_to_name })).toMatchObject(refused({ mail_to_name: 'must have as many entries as mail_to_address' }))
    expect(await put(id, { mail_bcc_name: ['D'] })).toMatchObject(
      refused({ mail_bcc_name: 'must have as many entries as mail_bcc_address' }),
    )
  })

  it('needs a recipient for what is queued, and none for a draft', async () => {
    const none = { mail_to_address: [], mail_to_name: [] }
    expect(await post({ ...none, status: 0 })).toMatchObject(refused({ mail_to_address: 'is required' }))
    expect(await message(await made(none))).toMatchObject({ mail_address: '', mail_name: '' })
    expect((await post({ ...none, mail_bcc_address: 'a@x.example', status: 0 })).status).toBe(201)
  })

  it('takes a hundred recipients and no more', async () => {
    const some = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@x.example`)
    expect((await post({ mail_to_address: some(60), mail_to_name: undefined, mail_cc_address: some(40) })).status).toBe(201)
    expect(await post({ mail_to_address: some(60), mail_to_name: undefined, mail_bcc_address: some(41) })).toMatchObject(
      refused({ mail_to_address: 'must be at most 100 with those in cc and bcc' }),
    )
    expect(await post({ mail_cc_address: some(101) })).toMatchObject(refused({ mail_cc_address: 'must have at most 100 entries' }))
  })

  it.each([
    [{ mail_server_id: undefined }, ['mail_server_id']],
    [{ mail_to_address: ['a'] }, ['mail_to_address']],
    [{ mail_to_address: ['a@x.example', 'b@x.example'] }, ['mail_to_name']],
    [{ mail_cc_name: ['A'] }, ['mail_cc_name']],
    [{ mail_to_address: ['a@x.example\r\nBcc: b@x.example'] }, ['mail_to_address']],
    [
      { mail_to_address: ['a@x.example\nb'], mail_subject: 'a\r\nBcc: b@x.example', mail_to_name: ['a\0'] },
      ['mail_to_address', 'mail_subject', 'mail_to_name'],
    ],
    [{ mail_to_address: { a: 1 }, priority: 1, status: 'x' }, ['mail_to_address', 'priority', 'status']],
    [{ mail_subject: 'x'.repeat(999), mail_body: 7, request_read_receipt: 2 }, ['mail_subject', 'mail_body', 'request_read_receipt']],
    [{ mail_body: 'a\0' }, ['mail_body']],
    [
      { reply_to_message_id: 1, mail_server_id: 999_999_999, issue_id: null, send_at: 'x' },
      ['mail_server_id', 'reply_to_message_id', 'send_at'],
    ],
  ])('%j is refused', async (fields, wrong) => {
    const { status, body } = await post(fields)
    expect([status, body]).toEqual([
      400,
      { status: 'error', errorMessages: Object.fromEntries(wrong.map((field) => [field, expect.any(String)])) },
    ])
  })

  it.each([1, 2, 3])('the status %i is refused', async (status) => {
    expect(await post({ status })).toMatchObject(refused({ status: 'must be 0 or 4' }))
    expect(await put(await made(), { status: `${status}` })).toMatchObject(refused({ status: 'must be 0 or 4' }))
  })

  it('is sent by an SMTP server of one’s own: all others are the same', async () => {
    const imap = await createMailServer(http)
    const colleague = await createMailServer(service.asExpert(here.trainee), smtp)
    const elsewhere = await createMailServer(service.asExpert(service.office().expert), smtp)
    for (const mail_server_id of [imap, colleague, elsewhere, randomId().toString()])
      expect(await post({ mail_server_id })).toMatchObject(refused({ mail_server_id: 'does not exist' }))
  })

  it('has the settings of its mailbox, unless it says otherwise', async () => {
    mailbox = await createMailServer(http, { ...smtp, priority: 2, request_read_receipt: 1 })
    expect(await message(await made())).toMatchObject({ priority: '2', request_read_receipt: '1' })
    expect(await message(await made({ priority: 4, request_read_receipt: 0 }))).toMatchObject({ priority: '4', request_read_receipt: '0' })
  })

  it('waits until `send_at`, where that is later', async () => {
    expect(await message(await made({ status: 0, send_at: '2099-01-02 03:04:05' }))).toMatchObject({ send_at: '2099-01-02 03:04:05' })
    expect(await message(await made({ status: 0, send_at: '2020-01-02 03:04:05' }))).toMatchObject({ send_at: null })
  })

  it('answers a message that the caller sees', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const own = Number(await storeOne(engine, box, 'OTHERS'))
    expect(await message(await made({ reply_to_message_id: own }))).toMatchObject({ reply_to_message_id: `${own}` })
    const strange = Number(await storeOne(engine, await newMailbox(engine, here, here.trainee.userId), 'OTHERS'))
    for (const reply_to_message_id of [strange, 987654321])
      expect(await post({ reply_to_message_id })).toMatchObject(refused({ reply_to_message_id: 'does not exist' }))
  })

  it('is written to a client whom the office knows', async () => {
    const [clientId, { customerId }] = [randomId(), here]
    const sender = { customerId, kind: 'client', id: randomId(), address: 'jan@client.example', clientId, known: true, revision: 1n }
    await engine.db.write(office(customerId), (tx) => tx.sender.create({ data: sender }))
    expect(await message(await made({ mail_to_address: 'Jan@Client.example' }))).toMatchObject({ client_id: `${clientId}` })
    expect(await message(await made({ mail_to_address: 'other@client.example' }))).toMatchObject({ client_id: null })
  })

  it('happens once with an Idempotency-Key', async () => {
    const [key, body] = [randomUUID(), { MailSentMysqlMessage: { mail_server_id: mailbox, ...to, status: 0 } }]
    const answers = [1, 2].map(() => http.request('POST', path, body, { 'idempotency-key': key }))
    const [first, second] = await Promise.all(answers)
    expect([first?.status, second?.status, second?.text]).toEqual([201, 201, first?.text])
    expect(await ids()).toHaveLength(1)
  })
})

describe('PUT /rest/mail_sent_mysql_message/{id}', () => {
  it('changes what it names, and nothing else', async () => {
    const id = await made({ mail_subject: 'A', mail_body: 'B', mail_cc_address: 'c@x.example' })
    expect(await put(id, { mail_to_address: ['new@x.example'], mail_subject: 'C' })).toMatchObject(done)
    expect(await message(id)).toMatchObject({
      mail_subject: 'C',
      mail_body: 'B',
      status: '4',
      mail_address: 'new@x.example',
      mail_name: '',
    })
    expect(await recipients(id)).toEqual(['to new@x.example  pending', 'cc c@x.example  pending'])
    expect(await put(id, { mail_cc_address: [] })).toMatchObject(done)
    expect(await recipients(id)).toEqual(['to new@x.example  pending'])
  })

  it('queues a draft, and takes it back', async () => {
    const id = await made()
    expect(await put(id, { status: 0 })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '0', folder_name: 'SENT' })
    expect(await put(id, { status: 4 })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '4', folder_name: 'DRAFTS' })
  })

  it('queues what has failed again, for those who have not accepted it', async () => {
    const id = await made({ status: 0, mail_cc_address: ['b@x.example'], mail_bcc_address: ['c@x.example'] })
    await set(id, "status = 3, error = '550', attempts = 3, phase = 'dot', next_attempt_at = now(), fence = 7")
    const state = 'UPDATE mail_sent_recipients SET state = $2, error = $2 WHERE sent_message_id = $1 AND kind = $3'
    for (const values of [
      ['accepted', 'to'],
      ['refused', 'cc'],
      ['deferred', 'bcc'],
    ])
      await service.database.rows(state, [id, ...values])
    expect(await put(id, { status: 0, mail_cc_address: ['right@x.example'] })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '0', error: null })
    expect(await recipients(id)).toEqual([
      'to jan@client.example Jan Client accepted',
      'cc right@x.example  pending',
      'bcc c@x.example  pending',
    ])
    const columns = 'phase, attempts, next_attempt_at AS next, fence::int'
    const [row] = await service.database.rows(`SELECT ${columns} FROM mail_sent_messages WHERE id = $1`, [id])
    expect(row).toEqual({ phase: null, attempts: 0, next: null, fence: 8 })
  })

  it.each([1, 2])('refuses everything of a message in the state %i', async (state) => {
    const id = await made({ status: 0 })
    await set(id, `status = ${state}`)
    for (const fields of [{ status: 0 }, { status: 4 }, { mail_subject: 'X' }, {}]) expect(await put(id, fields)).toMatchObject(inState)
    expect(await message(id)).toMatchObject({ status: `${state}`, mail_subject: '' })
  })

  it('leaves a message that it does not change in its place', async () => {
    const id = await made({ status: 0 })
    const { modified: before } = await message(id)
    await set(id, 'fence = 5')
    expect(await put(id, { status: 0, mail_subject: '' })).toMatchObject(done)
    const [row] = await service.database.rows('SELECT fence::int FROM mail_sent_messages WHERE id = $1', [id])
    expect([row, before]).toEqual([{ fence: 5 }, time])
  })

  it('is refused without a recipient, and with an old version', async () => {
    const id = await made({ mail_to_address: [], mail_to_name: [] })
    expect(await put(id, { status: 0 })).toMatchObject(refused({ mail_to_address: 'is required' }))
    const etag = (await http.get(`${path}/${id}`)).headers.get('etag') as string
    expect(await put(id, { mail_subject: 'A' })).toMatchObject(done)
    const late = await http.request('PUT', `${path}/${id}`, { MailSentMysqlMessage: { mail_subject: 'B' } }, { 'if-match': etag })
    expect([late.status, (await message(id)).mail_subject]).toEqual([412, 'A'])
  })

  it('loses neither of two changes that meet', async () => {
    const id = await made()
    const lock = { sql: 'SELECT FROM mail_sent_messages WHERE id = $1 FOR UPDATE', values: [id] }
    const changes = [{ mail_subject: 'A' }, { mail_body: 'B' }]
    const answers = await meetAt(
      service.database,
      lock,
      changes.map((fields) => () => put(id, fields)),
    )
    expect(answers).toMatchObject([done, done])
    expect(await message(id)).toMatchObject({ mail_subject: 'A', mail_body: 'B' })
  })

  it('leaves one winner of fifty who take a message back, and the sender', async () => {
    const id = await made({ status: 0 })
    const claim = { sql: 'UPDATE mail_sent_messages SET status = 1 WHERE id = $1 AND status = 0', values: [id] }
    const answers = await meetAt(
      service.database,
      claim,
      Array.from({ length: 50 }, () => () => put(id, { status: 4 })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409))
    expect(await message(id)).toMatchObject({ status: '1', folder_name: 'SENT' })
  })

  it('leaves the sender nothing where it was first', async () => {
    const id = await made({ status: 0 })
    const held = await holdTransaction(service.database, 'SELECT FROM mail_sent_messages WHERE id = $1 FOR UPDATE', [id])
    const change = put(id, { status: 4 })
    await untilWaiting(service.database, 1)
    const claim = holdTransaction(service.database, 'UPDATE mail_sent_messages SET status = 1 WHERE id = $1 AND status = 0', [id])
    await untilWaiting(service.database, 2)
    await held.commit()
    expect(await change).toMatchObject(done)
    const claimed = await claim
    await claimed.commit()
    expect(claimed.rowCount).toBe(0)
    expect(await message(id)).toMatchObject({ status: '4', folder_name: 'DRAFTS' })
  })
})

describe('DELETE /rest/mail_sent_mysql_message/{id}', () => {
  const remove = (id: number, by = http) => by.delete(`${path}/${id}`)

  it('removes a draft for good', async () => {
    const id = await made()
    expect(await remove(id)).toMatchObject(done)
    expect(await http.get(`${path}/${id}`)).toMatchObject(notFound)
    expect(await service.database.rows('SELECT FROM mail_sent_recipients WHERE sent_message_id = $1', [id])).toEqual([])
  })

  it.each([2, 3])('moves a message in the state %i to TRASH, and from there away', async (state) => {
    const id = await made({ status: 0 })
    await set(id, `status = ${state}`)
    expect(await remove(id)).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: `${state}`, folder_name: 'TRASH' })
    expect(await remove(id)).toMatchObject(done)
    expect(await remove(id)).toMatchObject(notFound)
  })

  it('keeps what waits to be sent from being sent', async () => {
    const id = await made({ status: 0 })
    expect(await remove(id)).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '4', folder_name: 'TRASH' })
    expect(await put(id, { status: 0 })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ status: '0', folder_name: 'SENT' })
  })

  it('is refused while the message is being sent', async () => {
    const id = await made({ status: 0 })
    await set(id, 'status = 1')
    expect(await remove(id)).toMatchObject(inState)
    expect(await message(id)).toMatchObject({ status: '1', folder_name: 'SENT' })
  })
})

describe('who has what', () => {
  it('is the author alone: everybody else finds nothing', async () => {
    const id = await made()
    const others = [here.specialist, here.trainee, here.employee('expert'), service.office().expert].map((person) =>
      service.asExpert(person),
    )
    for (const other of others) {
      const answers = [await other.get(`${path}/${id}`), await put(id, { status: 0 }, other), await other.delete(`${path}/${id}`)]
      expect(answers).toMatchObject(answers.map(() => notFound))
      expect(await ids('', other)).toEqual([])
    }
    expect(await message(id)).toMatchObject({ status: '4' })
  })

  it('is nothing for administrators', async () => {
    const administrator = service.asExpert(here.administrator)
    const answers = [await administrator.get(path), await post({}, administrator), await put(1, {}, administrator)]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

it('lists by status, folder, mailbox and case', async () => {
  const [draft, queued] = [await made(), await made({ status: 0 })]
  const other = await createMailServer(http, smtp)
  const elsewhere = await made({ mail_server_id: other })
  expect(await ids()).toEqual([draft, queued, elsewhere])
  expect(await ids('?sort=-id')).toEqual([elsewhere, queued, draft])
  expect(await ids('?status=0')).toEqual([queued])
  expect(await ids('?folder_name=DRAFTS')).toEqual([draft, elsewhere])
  expect(await ids(`?mail_server_id=${other}`)).toEqual([elsewhere])
  expect(await ids('?issue_id=1')).toEqual([])
  expect((await http.get(`${path}?status=7`)).status).toBe(400)
})

it('counts the drafts of the author, beside those that are on the server', async () => {
  expect(await drafts()).toBe(0)
  await storeOne(engine, await newMailbox(engine, here, here.expert.userId), 'DRAFTS')
  const [first, second] = [await made(), await made()]
  await made({ status: 0 })
  expect(await drafts()).toBe(3)
  await put(first, { mail_subject: 'X' })
  expect(await drafts()).toBe(3)
  await put(first, { status: 0 })
  expect(await drafts()).toBe(2)
  await put(first, { status: 4 })
  await http.delete(`${path}/${second}`)
  expect(await drafts()).toBe(2)
  await http.delete(`${path}/${first}`)
  expect(await drafts()).toBe(1)
})
