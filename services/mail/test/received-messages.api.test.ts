import type { Id } from '@caseway/kit/caller'
import { folderCountTopic } from '@caseway/protos/topics'
import type { HttpClient, TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../src/wiring.js'
import { countsOf, mailRights, newMailbox, officeWithMail, type Receiver, receiver, storeOne, type TestMailbox } from './support/mailbox.js'

let service: TestService
let engine: Receiver
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
})

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

interface Shown {
  readonly MailReceivedMysqlMessage: { readonly id: string; readonly mail_subject: string; readonly folder_name: string | null }
}

const path = '/mail_received_mysql_message'
const done = { status: 'OK' }
const expert = () => service.asExpert(here.expert)
const ids = async (query = '', http = expert()) =>
  (await http.get<Shown[]>(path + query)).body.map(({ MailReceivedMysqlMessage: { id } }) => BigInt(id))
const put = (id: Id | number, fields: object, http = expert()) => http.put(`${path}/${id}`, { MailReceivedMysqlMessage: fields })
const get = async (id: Id, http = expert()) => (await http.get<Shown>(`${path}/${id}`)).body?.MailReceivedMysqlMessage
const folder = async (fields: object = {}, http = expert()) =>
  BigInt((await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'A folder', ...fields } })).body.id)
const counts = async () => {
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  return kept
}

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
})

describe('who sees what', () => {
  const officeFolders = ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS'] as const
  const personal = ['OTHERS', 'DRAFTS', 'SENT', 'TRASH'] as const

  /** Nothing is told of a message that somebody may not see. */
  const isHidden = async (id: Id, http: HttpClient) => {
    const answers = await Promise.all([
      ...['', '/trace', '/source', '/body'].map((suffix) => http.get(`${path}/${id}${suffix}`)),
      ...[
        http.put(`${path}/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } }),
        http.delete(`${path}/${id}`),
        http.post(`${path}/${id}/restore`),
      ],
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await http.put(path, { MailReceivedMysqlMessage: { ids: [Number(id)], is_read: '1' } })).body).toEqual({
      ...{ status: 'error', errorMessages: { ids: 'does not exist' } },
    })
    expect(await ids('', http)).not.toContain(id)
    expect(await ids('?q=subject', http)).not.toContain(id)
  }

  it.each(officeFolders)('shows %s to whoever in the office has its right', async (name) => {
    const id = await storeOne(engine, box, name)
    const right = `mailbox.crm_folders.${name.toLowerCase()}`
    const [having, others] = [here.employee('trainee'), here.employee('trainee')]
    service.auth.rights.set(having.userId, [right])
    service.auth.rights.set(others.userId, [...mailRights.filter((other) => other !== right), 'mailbox.personal_mailbox'])
    expect(await ids('', service.asExpert(having))).toEqual([id])
    expect((await service.asExpert(having).get(`${path}/${id}`)).status).toBe(200)
    await isHidden(id, service.asExpert(others))
  })

  it.each(personal)('shows %s to the owner of the mailbox, who needs the right to their own mail', async (name) => {
    const id = await storeOne(engine, box, name)
    expect(await ids()).toEqual([id])
    await isHidden(id, service.asExpert(here.specialist))
    const without = here.employee('expert')
    service.auth.rights.set(without.userId, mailRights)
    await isHidden(await storeOne(engine, await newMailbox(engine, here, without.userId), name), service.asExpert(without))
  })

  it('shows custom folders to their owner, and those of the office to everybody there', async () => {
    const own = await storeOne(engine, box, { system: null, custom: await folder() })
    const global = await storeOne(engine, box, { system: null, custom: await folder({ is_global: '1' }) })
    expect((await ids()).sort()).toEqual([own, global].sort())
    const colleague = service.asExpert(here.trainee)
    expect(await ids('', colleague)).toEqual([global])
    await isHidden(own, colleague)
    const without = here.employee('expert')
    service.auth.rights.set(without.userId, mailRights)
    await isHidden(global, service.asExpert(without))
  })

  it('shows nothing to another office', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    await isHidden(id, service.asExpert(officeWithMail(service).expert))
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

  it('moves between folders, and says so', async () => {
    const id = await storeOne(engine, box, 'OTHERS')
    const custom = await folder()
    await put(id, { mail_folder_id: Number(custom) })
    expect(await get(id)).toMatchObject({ folder_name: null, mail_folder_id: String(custom) })
    expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: 1 })
    await put(id, { folder_name: 'LEADS' })
    expect(await get(id)).toMatchObject({ folder_name: 'LEADS', mail_folder_id: null })
    expect(await counts()).toEqual({ '0 LEADS 0': 1 })
    const { body } = await expert().get(`${path}/${id}/trace`)
    const reason = { by: 'moved', user: String(here.expert.userId) }
    expect(body).toMatchObject({
      MailTrace: [
        { kind: 'arrived' },
        { reason: { ...reason, mail_folder_id: String(custom) } },
        { reason: { ...reason, folder: 'LEADS' } },
      ],
    })
  })

  it('refuses folders that are not there, of others, of another office, and two at once', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const [clients] = (await expert().get<{ MailFolder: { id: string } }[]>('/mail_folder')).body
    const theirs = await folder({}, service.asExpert(here.specialist))
    const foreign = await folder({ is_global: '1' }, service.asExpert(officeWithMail(service).expert))
    for (const mail_folder_id of [clients?.MailFolder.id, Number(theirs), Number(foreign), 999_999_999]) {
      const { status, body } = await put(id, { mail_folder_id })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { mail_folder_id: 'does not exist' } }])
    }
    expect((await put(id, { folder_name: 'INBOX', is_read: 'x', tags: [''] })).body).toEqual({
      ...{ status: 'error', errorMessages: { folder_name: expect.any(String), is_read: expect.any(String), tags: expect.any(String) } },
    })
    expect((await put(id, { folder_name: 'LEADS', mail_folder_id: Number(theirs) })).status).toBe(400)
    expect(await get(id)).toMatchObject({ folder_name: 'CLIENTS' })
  })

  it('lets nobody hide a message of the office in a folder of their own, nor move one to a folder without its right', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const colleague = here.employee('specialist')
    service.auth.rights.set(colleague.userId, ['mailbox.crm_folders.clients', 'mailbox.personal_mailbox'])
    const http = service.asExpert(colleague)
    const own = Number(await folder({}, http))
    const text = 'is a folder of one person, for messages of their own mailboxes'
    expect((await put(id, { mail_folder_id: own }, http)).body).toMatchObject({ errorMessages: { mail_folder_id: text } })
    expect((await put(id, { folder_name: 'OTHERS' }, http)).body).toMatchObject({ errorMessages: { folder_name: text } })
    expect((await put(id, { folder_name: 'LEADS' }, http)).status).toBe(403)
    service.auth.rights.set(colleague.userId, ['mailbox.crm_folders.clients'])
    const without = here.employee('specialist')
    service.auth.rights.set(without.userId, ['mailbox.crm_folders.clients'])
    expect((await put(id, { folder_name: 'OTHERS' }, service.asExpert(without))).status).toBe(403)
    expect((await put(id, { mail_folder_id: own }, service.asExpert(without))).status).toBe(403)
    expect((await put(id, { is_read: '1' }, service.asExpert(without))).status).toBe(200)
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

  it('changes all that are named, or none', async () => {
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

describe('DELETE and restore', () => {
  it('moves to TRASH and back, and from TRASH for good', async () => {
    const custom = await folder()
    const id = await storeOne(engine, box, { system: null, custom }, { subject: 'Confidential', text: 'Very' })
    expect((await expert().delete(`${path}/${id}`)).body).toEqual(done)
    expect(await get(id)).toMatchObject({ folder_name: 'TRASH', mail_folder_id: null })
    expect(await counts()).toEqual({})
    expect((await expert().post(`${path}/${id}/restore`)).body).toEqual(done)
    expect(await get(id)).toMatchObject({ folder_name: null, mail_folder_id: String(custom) })
    expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: 1 })
    expect((await expert().post(`${path}/${id}/restore`)).body).toMatchObject({ errorCode: 'MAIL_MESSAGE_NOT_IN_TRASH' })
    await expert().delete(`${path}/${id}`)
    expect((await expert().delete(`${path}/${id}`)).status).toBe(200)
    expect((await expert().get(`${path}/${id}`)).status).toBe(404)
    expect(await ids('?q=confidential')).toEqual([])
    const [row] = await service.database.rows(
      'SELECT removed, mail_subject, body_text, mail_body FROM mail_received_messages WHERE id = $1',
      [id],
    )
    expect(row).toEqual({ removed: true, mail_subject: '', body_text: '', mail_body: '' })
    expect(await service.database.rows('SELECT FROM mail_received_documents WHERE message_id = $1', [id])).toEqual([])
  })

  it('restores to OTHERS what was in a folder that is gone, and what came into TRASH on the server', async () => {
    const custom = await folder()
    const id = await storeOne(engine, box, { system: null, custom })
    await expert().delete(`${path}/${id}`)
    await expert().delete(`/mail_folder/${custom}`)
    await expert().post(`${path}/${id}/restore`)
    expect(await get(id)).toMatchObject({ folder_name: 'OTHERS', mail_folder_id: null })
    const trashed = await storeOne(engine, box, 'TRASH')
    await expert().post(`${path}/${trashed}/restore`)
    expect(await get(trashed)).toMatchObject({ folder_name: 'OTHERS' })
  })

  it('moves what a colleague deletes to the TRASH of the owner', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    expect((await service.asExpert(here.specialist).delete(`${path}/${id}`)).status).toBe(200)
    expect((await service.asExpert(here.specialist).get(`${path}/${id}`)).status).toBe(404)
    expect(await get(id)).toMatchObject({ folder_name: 'TRASH' })
    await expert().post(`${path}/${id}/restore`)
    expect(await get(id)).toMatchObject({ folder_name: 'CLIENTS' })
  })
})

describe('the counts', () => {
  it('equal a recount after any moves, and are published with rising revisions', async () => {
    const [mine, ours] = [await folder(), await folder({ is_global: '1' })]
    const messages: Id[] = []
    for (const name of ['CLIENTS', 'OTHERS', 'DRAFTS', 'TRASH', 'SENT', 'LEADS'] as const) messages.push(await storeOne(engine, box, name))
    const targets = ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS', 'OTHERS', 'DRAFTS', 'SENT', 'TRASH'].map((folder_name) => ({
      folder_name,
    }))
    const customs = [mine, ours].map((id) => ({ mail_folder_id: Number(id) }))
    const any = <T>(items: readonly T[], seed: number) => items[(seed * 7919) % items.length] as T
    for (let i = 0; i < 60; i += 3) {
      await Promise.all(
        [i, i + 1, i + 2].map((seed) =>
          put(any(messages, seed), { ...any([...targets, ...customs], seed + i), is_read: String((seed >> 1) % 2) }),
        ),
      )
    }
    const kept = await counts()
    const events = (await service.published(folderCountTopic))
      .map(({ event }) => event)
      .filter(({ customerId }) => customerId === here.customerId)
    const last = new Map(events.map((event) => [`${event.userId} ${event.folder} ${event.folderId}`, event]))
    const rows = await service.database.rows<{ count: number }>('SELECT count FROM folder_counts WHERE customer_id = $1 ORDER BY count', [
      here.customerId,
    ])
    expect([...last.values()].map(({ count }) => count).sort()).toEqual(rows.map(({ count }) => count).sort())
    expect(Object.keys(kept).length).toBeGreaterThan(0)
    const revisions = events.filter(({ folderId }) => folderId === BigInt(mine)).map(({ revision }) => revision)
    expect(revisions.length).toBeGreaterThan(1)
    expect(revisions).toEqual(revisions.toSorted((a, b) => Number(a - b)))
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
