import type { TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newMailbox, officeWithMail, storeOne, type TestMailbox } from '../support/mailbox.js'
import { done, path, receivedMessages } from '../support/received-messages.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

const { expert, ids, put, get, counts } = receivedMessages(service, () => here)

describe('GET /rest/mail_received_mysql_message', () => {
  it('lists the newest first, without bodies, filtered and sorted', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day))
    const old = await storeOne(engine, box, 'CLIENTS', { internalDate: at(1), messageId: 'a@x' })
    const young = await storeOne(engine, box, 'OTHERS', { internalDate: at(3), seen: true })
    const middle = await storeOne(engine, box, 'CLIENTS', { internalDate: at(2), inReplyTo: 'a@x' })
    expect(await ids()).toEqual([young, middle, old])
    expect(await ids('?sort=timestamp')).toEqual([old, middle, young])
    expect(await ids('?folder_name=CLIENTS')).toEqual([middle, old])
    expect(await ids('?is_read=1')).toEqual([young])
    const thread = (await expert().get<{ MailReceivedMysqlMessage: { mail_thread_id: string } }>(`${path}/${old}`)).body
    expect(await ids(`?mail_thread_id=${thread.MailReceivedMysqlMessage.mail_thread_id}`)).toEqual([middle, old])
    expect(await ids('?client_id=1')).toEqual([])
    expect(await ids('?q=subject')).toEqual([young, middle, old])
    expect(await ids('?q=subject&sort=-id')).toEqual([middle, young, old])
    const first = await expert().get(`${path}?limit=1`)
    expect(first.headers.get('link')).toContain('rel="next"')
    expect(JSON.stringify(first.body)).not.toContain('mail_body')
    expect((await expert().get(`${path}?folder_name=NONE`)).status).toBe(400)
  })

  it('finds words of subject, sender, body and file names, without accents and by their beginning', async () => {
    const attachments = [{ position: 0, filename: 'umowa-2026.pdf', mime: 'application/pdf', size: 1, contentId: null }]
    const from = { address: 'jan@shop.example', name: 'Jan Żółć' }
    const id = await storeOne(engine, box, 'OTHERS', { from, subject: 'Fälligkeit', text: 'Dear reader', attachments })
    const there = officeWithMail(service)
    await storeOne(engine, await newMailbox(engine, there, there.expert.userId), 'OTHERS', { subject: 'Fälligkeit' })
    await storeOne(engine, await newMailbox(engine, here, here.trainee.userId), 'OTHERS', { subject: 'Fälligkeit' })
    for (const q of ['falligkeit', 'zolc', 'dear rea', 'umowa', 'shop example jan'])
      expect([q, await ids(`?q=${encodeURIComponent(q)}`)]).toEqual([q, [id]])
    expect(await ids('?q=reader%20nobody')).toEqual([])
    expect(await ids('?q=dear&folder_name=CLIENTS')).toEqual([])
  })

  it('finds the words of file names also beside a long text', async () => {
    const attachments = [{ position: 0, filename: 'aneks.pdf', mime: 'application/pdf', size: 1, contentId: null }]
    const id = await storeOne(engine, box, 'OTHERS', { text: 'a word '.repeat(10_000), attachments })
    expect(await ids('?q=aneks%20word')).toEqual([id])
  })

  it('finds words of recipients as they were written, and words with soft hyphens', async () => {
    const to = [{ address: 'anna@shop.example', name: 'Anna "name": "address":' }]
    const named = await storeOne(engine, box, 'OTHERS', { to })
    const cc = [{ address: 'jan@shop.example', name: 'Jan \\ Żółć' }]
    const id = await storeOne(engine, box, 'OTHERS', { cc, text: 'Donau\u{AD}dampf\u{AD}schiff' })
    for (const q of ['jan shop', 'zolc', 'donaudampfschiff', 'Donau\u{AD}dampf'])
      expect([q, await ids(`?q=${encodeURIComponent(q)}`)]).toEqual([q, [id]])
    for (const q of ['address', 'name', 'anna shop']) expect([q, await ids(`?q=${q}`)]).toEqual([q, [named]])
  })
})

describe('PUT /rest/mail_received_mysql_message/{id}', () => {
  it('marks as read here and on the server, and counts', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    expect(await counts()).toEqual({ '0 CLIENTS 0': 1 })
    expect((await put(id, { is_read: '1', tags: ['urgent'], mail_subject: 'x', client_id: '7' })).body).toEqual(done)
    expect(await get(id)).toMatchObject({ is_read: '1', tags: ['urgent'], mail_subject: 'A subject', client_id: null })
    expect(await counts()).toEqual({})
    const set = () => service.database.rows('SELECT seen_to_set FROM message_locations WHERE message_id = $1', [id])
    expect(await set()).toEqual([{ seen_to_set: true }])
    await put(id, { is_read: '0' })
    expect(await set()).toEqual([{ seen_to_set: null }])
    expect(await counts()).toEqual({ '0 CLIENTS 0': 1 })
  })

  it('is 412 for another version, and counts one of fifty at once', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    await storeOne(engine, box, 'CLIENTS')
    expect((await expert().put(`${path}/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } }, { 'if-match': '"7"' })).status).toBe(412)
    const held = await holdTransaction(service.database, 'SELECT FROM mail_received_messages WHERE id = $1 FOR UPDATE', [id])
    const answers = Array.from({ length: 50 }, () => put(id, { is_read: '1' }))
    await untilWaiting(service.database, 10)
    await held.commit()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await counts()).toEqual({ '0 CLIENTS 0': 1 })
  })
})

describe('PUT /rest/mail_received_mysql_message', () => {
  const some = (fields: object, http = expert()) => http.put(path, { MailReceivedMysqlMessage: fields })

  it('changes all of the named messages, or none', async () => {
    const [a, b] = [await storeOne(engine, box, 'CLIENTS'), await storeOne(engine, box, 'OTHERS')]
    expect((await some({ ids: [Number(a), String(b), Number(a)], is_read: '1', folder_name: 'LEADS' })).body).toEqual(done)
    for (const id of [a, b]) expect(await get(id)).toMatchObject({ is_read: '1', folder_name: 'LEADS' })
    expect((await some({ ids: [Number(a), 999_999_999], folder_name: 'CLIENTS' })).body).toEqual({
      ...{ status: 'error', errorMessages: { ids: 'does not exist' } },
    })
    expect(await get(a)).toMatchObject({ folder_name: 'LEADS' })
    expect(await counts()).toEqual({})
  })

  it.each([[undefined], [[]], [['x']], [Array.from({ length: 501 }, (_, i) => i + 1)], ['1']])('refuses the ids %#', async (wrong) => {
    const { status, body } = await some({ ids: wrong, is_read: '1' })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { ids: expect.any(String) } }])
  })
})

describe('the bytes', () => {
  it('shows the body as a page that may do nothing', async () => {
    const id = await storeOne(engine, box, 'CLIENTS', { html: '<p onclick="x()">Hello<script>x()</script></p>' })
    const { headers, text } = await expert().get(`${path}/${id}/body`)
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'; img-src 'self' data:/)
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['text/html; charset=utf-8', 'nosniff'])
    expect(text).toBe('<!doctype html><meta charset="utf-8"><body><p>Hello</p>')
    const plain = await storeOne(engine, box, 'CLIENTS', { text: '<script>x()</script>\n1 & 2' })
    expect((await expert().get(`${path}/${plain}/body`)).text).toContain('>&lt;script&gt;x()&lt;/script&gt;\n1 &amp; 2</div>')
  })

  it('is 409 where the storage has lost the source', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const { status, body } = await expert().get(`${path}/${id}/source`)
    expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'MAIL_MESSAGE_BYTES_LOST' })])
  })
})
