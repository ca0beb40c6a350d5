import { randomUUID } from 'node:crypto'
import { office } from '@caseway/kit/database'
import { expertUrl, type HttpClient, invalidFields, randomId, type TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer, newMailServer } from '../support/mail-servers.js'
import { newMailbox, officeWithMail, storeOne } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'
import { done, notFound, path, smtp, time, to, writtenMessages } from '../support/written-messages.js'

const { service, engine, stop } = await serviceWithFiles()
afterAll(stop)

let here: TestTenant
let http: HttpClient
let mailbox: number
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  mailbox = await createMailServer(http, smtp)
})

const { post, made, put, shown, message, recipients, ids } = writtenMessages(service, () => ({ http, mailbox }))

describe('POST /rest/mail_sent_mysql_message', () => {
  it('keeps a draft as it was sent', async () => {
    const { status, headers, body } = await post({ mail_subject: 'Zażółć', mail_body: '<p>gęślą</p>' })
    expect([status, body, headers.get('location')]).toEqual([201, { id: expect.any(Number) }, `${expertUrl}/rest${path}/${body.id}`])
    const { MailSentMysqlMessage, MailSentRecipient } = await shown(body.id)
    const kept = {
      ...{ id: `${body.id}`, mail_server_id: `${mailbox}`, user_id: `${here.expert.userId}`, client_id: null },
      ...{ customer_id: `${here.customerId}`, mail_address: 'jan@client.example', mail_name: 'Jan Client', mail_subject: 'Zażółć' },
      ...{ mail_body: '<p>gęślą</p>', add_signature: '1' },
      ...{ status: '4', folder_name: 'DRAFTS', send_at: null, priority: '3', request_read_receipt: '0', reply_to_message_id: null },
      ...{ issue_id: null, common_file_ids: [], msg_unique_identifier: null, size: null, error: null },
      ...{ sent_at: null, created: time, modified: time },
    }
    expect(Object.entries(MailSentMysqlMessage)).toEqual(Object.entries(kept))
    expect(MailSentRecipient).toEqual([
      { sent_message_id: `${body.id}`, kind: 'to', address: 'jan@client.example', name: 'Jan Client', state: 'pending', error: '' },
    ])
  })

  it.each([
    [{ mail_server_id: undefined }, ['mail_server_id']],
    [{ mail_to_address: ['a'] }, ['mail_to_address']],
    [{ mail_to_address: ['a@x.example', 'b@x.example'] }, ['mail_to_name']],
    [{ mail_cc_name: ['A'] }, ['mail_cc_name']],
    [
      { mail_server_id: undefined, mail_to_address: ['a@x.example', 'b@x.example'], status: 2 },
      ['mail_server_id', 'mail_to_name', 'status'],
    ],
    [{ mail_subject: 7, mail_to_address: [], mail_to_name: [], status: 0 }, ['mail_subject', 'mail_to_address']],
    [{ mail_to_address: ['a'], mail_to_name: ['A', 'B'], priority: 9 }, ['mail_to_address', 'priority']],
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

  it('needs an SMTP server of the caller: all others give the same error', async () => {
    const imap = await createMailServer(http)
    const colleague = await createMailServer(service.asExpert(here.trainee), smtp)
    const elsewhere = await createMailServer(service.asExpert(service.office().expert), smtp)
    for (const mail_server_id of [imap, colleague, elsewhere, randomId().toString()])
      expect(await post({ mail_server_id })).toMatchObject(invalidFields({ mail_server_id: 'does not exist' }))
  })

  it('has the settings of its mailbox by default', async () => {
    mailbox = await createMailServer(http, { ...smtp, priority: 2, request_read_receipt: 1 })
    expect(await message(await made())).toMatchObject({ priority: '2', request_read_receipt: '1' })
    expect(await message(await made({ priority: 4, request_read_receipt: 0 }))).toMatchObject({ priority: '4', request_read_receipt: '0' })
  })

  it('answers a message that the caller sees', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const own = Number(await storeOne(engine, box, 'OTHERS'))
    expect(await message(await made({ reply_to_message_id: own }))).toMatchObject({ reply_to_message_id: `${own}` })
    const strange = Number(await storeOne(engine, await newMailbox(engine, here, here.trainee.userId), 'OTHERS'))
    for (const reply_to_message_id of [strange, 987654321])
      expect(await post({ reply_to_message_id })).toMatchObject(invalidFields({ reply_to_message_id: 'does not exist' }))
  })

  it('is assigned to the client whose address it has', async () => {
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
  it('changes the fields that are sent, and nothing else', async () => {
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

  it('reports all invalid fields at once', async () => {
    const wrong = { mail_subject: 7, status: 0, mail_to_address: [], mail_to_name: ['A'] }
    expect(await put(await made(), wrong)).toMatchObject(
      invalidFields({
        mail_subject: 'must be text',
        mail_to_address: 'is required',
        mail_to_name: 'must have as many entries as mail_to_address',
      }),
    )
  })

  it('is refused without a recipient, and with an old version', async () => {
    const id = await made({ mail_to_address: [], mail_to_name: [] })
    expect(await put(id, { status: 0 })).toMatchObject(invalidFields({ mail_to_address: 'is required' }))
    const etag = (await http.get(`${path}/${id}`)).headers.get('etag') as string
    expect(await put(id, { mail_subject: 'A' })).toMatchObject(done)
    const late = await http.request('PUT', `${path}/${id}`, { MailSentMysqlMessage: { mail_subject: 'B' } }, { 'if-match': etag })
    expect([late.status, (await message(id)).mail_subject]).toEqual([412, 'A'])
  })

  it('applies concurrent changes one after the other', async () => {
    const id = await made()
    const subjects = Array.from({ length: 20 }, (_, at) => `Subject ${at}`)
    const answers = await Promise.all(subjects.map((mail_subject) => put(id, { mail_subject })))
    expect(answers).toMatchObject(subjects.map(() => done))
    const { MailSentMysqlMessage } = await shown(id)
    expect(subjects).toContain(MailSentMysqlMessage.mail_subject)
  })

  it('loses neither of two concurrent changes in two copies of the service', async () => {
    const id = await made()
    const other = await holdTransaction(service.database, "UPDATE mail_sent_messages SET mail_body = 'B' WHERE id = $1", [id])
    const change = put(id, { mail_subject: 'A' })
    await untilWaiting(service.database, 1)
    await other.commit()
    expect(await change).toMatchObject(done)
    expect(await message(id)).toMatchObject({ mail_subject: 'A', mail_body: 'B' })
  })
})

describe('DELETE /rest/mail_sent_mysql_message/{id}', () => {
  it('removes a draft for good', async () => {
    const id = await made()
    expect(await http.delete(`${path}/${id}`)).toMatchObject(done)
    expect(await http.get(`${path}/${id}`)).toMatchObject(notFound)
    expect(await service.database.rows('SELECT FROM mail_sent_recipients WHERE sent_message_id = $1', [id])).toEqual([])
  })
})

describe('who has what', () => {
  it('the author alone sees a message: for everybody else it does not exist', async () => {
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

  it.each([
    ['that is deleted', () => http.delete(`/mail_server/${mailbox}`)],
    ['that receives now', () => http.put(`/mail_server/${mailbox}`, { MailServer: newMailServer })],
  ])('a draft of a mailbox %s can be changed, and sent from another one', async (_, end) => {
    const id = await made()
    expect(await end()).toMatchObject(done)
    for (const changes of [{ mail_subject: 'First' }, { mail_subject: 'Second', mail_server_id: mailbox, status: 4 }]) {
      expect(await put(id, changes)).toMatchObject(done)
      expect(await message(id)).toMatchObject({ mail_subject: changes.mail_subject, mail_server_id: `${mailbox}`, status: '4' })
    }
    expect((await put(id, { mail_server_id: mailbox, send_at: 'x' })).body).toEqual(invalidFields({ send_at: expect.any(String) }).body)
    for (const changes of [{ status: 0 }, { status: 0, mail_server_id: mailbox }])
      expect(await put(id, changes)).toMatchObject(invalidFields({ mail_server_id: 'does not exist' }))
    expect(await put(id, { status: 0, mail_server_id: await createMailServer(http, smtp) })).toMatchObject(done)
    expect(await message(id)).toMatchObject({ mail_subject: 'Second', status: '0' })
  })

  it('administrators have no messages', async () => {
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
