import { createHash } from 'node:crypto'
import { office } from '@caseway/kit/database'
import { randomId, type TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { remoteFolderRepository } from '../src/receiving/remote-folder.repository.js'
import { mail } from '../src/wiring.js'
import {
  announced,
  arrived,
  countsOf,
  newMailbox,
  officeWithMail,
  type Receiver,
  receiver,
  store,
  storeOne,
  type TestMailbox,
} from './support/mailbox.js'

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

const messages = () =>
  service.database.rows<{ id: string; mail_thread_id: string; folder_name: string | null; is_read: boolean; mail_body: string }>(
    'SELECT * FROM mail_received_messages WHERE customer_id = $1 ORDER BY id',
    [here.customerId],
  )
const places = () => service.database.rows('SELECT * FROM message_locations WHERE customer_id = $1 ORDER BY uid', [here.customerId])

describe('decide', () => {
  const folderOf = async (message: Parameters<typeof announced>[1], mailbox = box) => {
    const [decision] = await engine.intake.decide(mailbox, [announced(mailbox, message)])
    return decision?.kind === 'store' ? (decision.folder.system ?? decision.folder.custom) : decision?.reason.by
  }
  const knows = (kind: string, address: string, known = true) =>
    service.database.rows(
      'INSERT INTO senders (customer_id, kind, id, address, client_id, known, revision) VALUES ($1, $2, 1, $3, 7, $4, 1)',
      [...[here.customerId, kind, address, known]],
    )
  const from = (address: string) => ({ from: { address, name: '' } })

  it('knows a client, a person of a provider, an employee of any office and a lead, in this order', async () => {
    await knows('lead', 'one@known.example')
    expect(await folderOf(from('One@Known.example'))).toBe('LEADS')
    const hash = createHash('sha256').update('one@known.example').digest()
    await service.database.rows('INSERT INTO employee_addresses (user_id, hash, known, revision) VALUES ($1, $2, true, 1)', [
      randomId(),
      hash,
    ])
    expect(await folderOf(from('one@known.example'))).toBe('OFFICES')
    await knows('provider', 'one@known.example')
    expect(await folderOf(from('one@known.example'))).toBe('PROVIDERS')
    await knows('client', 'one@known.example')
    expect(await folderOf(from('one@known.example'))).toBe('CLIENTS')
    const [decision] = await engine.intake.decide(box, [announced(box, from('one@known.example'))])
    expect(decision).toMatchObject({ clientId: 7n, reason: { by: 'sender', kind: 'client', folder: 'CLIENTS' } })
  })

  it('puts everybody else into OTHERS, those whom only another office knows or nobody any more among them', async () => {
    await knows('client', 'gone@known.example', false)
    expect(await folderOf(from('gone@known.example'))).toBe('OTHERS')
    const there = officeWithMail(service)
    const other = await newMailbox(engine, there, there.expert.userId)
    await service.database.rows('INSERT INTO senders VALUES ($1, $2, 2, $3, 7, true, 1)', [here.customerId, 'client', 'mine@known.example'])
    expect(await folderOf(from('mine@known.example'), other)).toBe('OTHERS')
    expect(await folderOf({ from: null })).toBe('OTHERS')
  })

  it('leaves what is in a special folder of the server there, and junk out of the folders of the office', async () => {
    await knows('client', 'one@known.example')
    const of = (specialUse: string) => folderOf({ ...from('one@known.example'), specialUse })
    expect([await of('sent'), await of('drafts'), await of('trash'), await of('junk')]).toEqual(['SENT', 'DRAFTS', 'TRASH', 'OTHERS'])
    expect([await of('inbox'), await of('archive')]).toEqual(['CLIENTS', 'CLIENTS'])
  })

  it('sorts by the first rule of the owner, before whom the office knows', async () => {
    await knows('client', 'one@known.example')
    const http = service.asExpert(here.expert)
    const folder = async (name: string) => (await http.post<{ id: number }>('/mail_folder', { MailFolder: { name } })).body.id
    const [first, second] = [await folder('First'), await folder('Second')]
    const rule = (mail_folder_id: number, position: string, value: string) => {
      const conditions = [{ field: 'subject', operator: 'contains', value }]
      return http.post('/mail_folder_rule', { MailFolderRule: { mail_folder_id, position, name: 'A rule', conditions } })
    }
    expect((await rule(second, '2', 'invoice')).status).toBe(201)
    expect((await rule(first, '1', 'INVOICE 7')).status).toBe(201)
    expect(await folderOf({ ...from('one@known.example'), subject: 'Your Invoice 7' })).toBe(BigInt(first))
    expect(await folderOf({ subject: 'An invoice' })).toBe(BigInt(second))
    expect(await folderOf({ ...from('one@known.example'), subject: 'Hello' })).toBe('CLIENTS')
    const colleague = await newMailbox(engine, here, here.specialist.userId)
    expect(await folderOf({ subject: 'An invoice' }, colleague)).toBe('OTHERS')
  })

  it('discards what came before the mailbox is fetched from', async () => {
    const mailbox = { ...box, fetchAfter: new Date('2026-01-02T00:00:00Z') }
    expect(await folderOf({ internalDate: new Date('2026-01-01T23:59:59Z') }, mailbox)).toBe('too-old')
    expect(await folderOf({ internalDate: new Date('2026-01-02T00:00:00Z') }, mailbox)).toBe('OTHERS')
  })
})

describe('store', () => {
  it('stores a message with its parts, its place and the reason', async () => {
    const attachments = [{ position: 0, filename: 'a.pdf', mime: 'application/pdf', size: 5, contentId: null }]
    const id = await storeOne(engine, box, 'CLIENTS', { subject: 'Two\nlines', attachments, seen: false })
    const { body } = await service.asExpert(here.expert).get(`/mail_received_mysql_message/${id}`)
    expect(body).toMatchObject({
      MailReceivedMysqlMessage: {
        ...{ mail_subject: 'Two lines', has_attachments: '1', is_read: '0', folder_name: 'CLIENTS', mail_server_id: String(box.id) },
        ...{ mail_address: 'sender@elsewhere.example', mail_name: 'A Sender', parse_state: 'parsed', auto_kind: null },
      },
    })
    expect(await service.database.rows('SELECT position, filename FROM mail_attachments WHERE message_id = $1', [id])).toEqual([
      { position: 0, filename: 'a.pdf' },
    ])
    const trace = await service.asExpert(here.expert).get(`/mail_received_mysql_message/${id}/trace`)
    expect(trace.body).toEqual({
      MailTrace: [{ kind: 'arrived', reason: { by: 'unknown', folder: 'OTHERS' }, created: expect.any(String) }],
    })
  })

  it('stores the same bytes once in a mailbox, with both places, and once more in another mailbox', async () => {
    const [one, two] = [arrived(box, 'OTHERS', { bytes: 'same' }), arrived(box, 'OTHERS', { bytes: 'same' })]
    expect(await store(engine, box, one, two)).toEqual({ stored: 1, duplicates: 1, unusedBlobs: [two.blobKey] })
    const three = arrived(box, 'OTHERS', { bytes: 'same' })
    expect(await store(engine, box, three)).toEqual({ stored: 0, duplicates: 1, unusedBlobs: [three.blobKey] })
    expect(await messages()).toHaveLength(1)
    expect(new Set((await places()).map(({ message_id }) => message_id)).size).toBe(1)
    const other = await newMailbox(engine, here, here.expert.userId)
    expect(await store(engine, other, arrived(other, 'OTHERS', { bytes: 'same' }))).toMatchObject({ stored: 1 })
    expect(await countsOf(service, here.customerId)).toMatchObject({ kept: { [`${box.userId} OTHERS 0`]: 2 } })
  })

  it('does not bring back what was removed for good', async () => {
    const id = await storeOne(engine, box, 'TRASH', { bytes: 'removed' })
    await service.asExpert(here.expert).delete(`/mail_received_mysql_message/${id}`)
    expect(await store(engine, box, arrived(box, 'OTHERS', { bytes: 'removed' }))).toMatchObject({ stored: 0, duplicates: 1 })
    expect((await service.asExpert(here.expert).get<unknown[]>('/mail_received_mysql_message')).body).toEqual([])
  })

  it('stores two that come at the same moment once', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => store(engine, box, arrived(box, 'OTHERS', { bytes: 'parallel' }))))
    expect(results.map(({ stored }) => stored).sort()).toEqual([0, 0, 0, 1])
  })

  it('puts what could not be parsed away by its header', async () => {
    await store(engine, box, { ...arrived(box, 'OTHERS', { subject: 'Of the header', headers: { 'list-id': '<x>' } }), parsed: null })
    expect(await messages()).toMatchObject([{ mail_subject: 'Of the header', parse_state: 'failed', auto_kind: 'list', mail_body: '' }])
  })

  it('joins messages to conversations by In-Reply-To and References, whatever order they come in', async () => {
    const of = (fields: Parameters<typeof arrived>[2]) => arrived(box, 'OTHERS', fields)
    await store(engine, box, of({ messageId: 'c@x', inReplyTo: 'b@x', references: ['a@x', 'b@x'] }), of({ messageId: 'z@x' }))
    await store(engine, box, of({ messageId: 'a@x' }), of({ messageId: 'b@x', inReplyTo: 'a@x' }), of({}))
    const threads = (await messages()).map(({ mail_thread_id }) => mail_thread_id)
    expect(threads[0]).toBe(threads[2])
    expect(threads[0]).toBe(threads[3])
    expect(new Set(threads).size).toBe(3)
    const other = await newMailbox(engine, here, here.expert.userId)
    await store(engine, other, arrived(other, 'OTHERS', { messageId: 'd@x', inReplyTo: 'a@x' }))
    expect((await messages()).at(-1)?.mail_thread_id).not.toBe(threads[0])
  })

  it('puts a message of a folder that was deleted meanwhile into OTHERS', async () => {
    const http = service.asExpert(here.expert)
    const { body } = await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'Soon gone' } })
    const message = arrived(box, { system: null, custom: BigInt(body.id) })
    await http.delete(`/mail_folder/${body.id}`)
    await store(engine, box, message)
    expect(await messages()).toMatchObject([{ folder_name: 'OTHERS', mail_folder_id: null }])
  })

  it('keeps a text of any length, and what HTML cannot be', async () => {
    const text = `${'😀'.repeat(200_000)}`
    await store(engine, box, arrived(box, 'OTHERS', { text, subject: 's'.repeat(5000), html: '<b>x</b>'.repeat(100_000) }))
    const [message] = await messages()
    expect(message?.mail_body).toMatch(/^<div style="white-space:pre-wrap">😀/)
    expect(message?.mail_body.isWellFormed()).toBe(true)
  })
})

describe('discard', () => {
  it('remembers the place and the reason, and stores the message when a backfill wants it', async () => {
    const message = arrived(box, 'CLIENTS')
    await engine.db.write(office(here.customerId), (tx) => engine.intake.discard(tx, box, [{ ...message, reason: { by: 'too-old' } }]))
    expect(await places()).toMatchObject([{ message_id: null }])
    expect(await service.database.rows('SELECT kind, reason FROM mail_traces WHERE customer_id = $1', [here.customerId])).toEqual([
      { kind: 'discarded', reason: { by: 'too-old' } },
    ])
    await store(engine, box, message)
    expect(await places()).toMatchObject([{ message_id: expect.any(String) }])
  })
})

describe('seen', () => {
  const seen = (place: ReturnType<typeof arrived>['place'], value: boolean) =>
    engine.db.write(office(here.customerId), (tx) => engine.intake.seen(tx, box, [{ place, seen: value }]))

  it('follows the server, and the counts with it', async () => {
    const message = arrived(box, 'CLIENTS')
    await store(engine, box, message)
    await seen(message.place, true)
    expect(await messages()).toMatchObject([{ is_read: true }])
    expect((await countsOf(service, here.customerId)).kept).toEqual({})
    await seen(message.place, true)
    await seen(message.place, false)
    expect((await countsOf(service, here.customerId)).kept).toEqual({ '0 CLIENTS 0': 1 })
  })

  it('takes over only what has changed: a message at two places, read at one of them, stays read however often both are compared', async () => {
    const [first, second] = [arrived(box, 'CLIENTS', { bytes: 'the same' }), arrived(box, 'CLIENTS', { bytes: 'the same' })]
    await store(engine, box, first)
    await store(engine, box, second)
    expect(await places()).toHaveLength(2)
    expect(await messages()).toHaveLength(1)
    for (let compared = 0; compared < 2; compared++) {
      await seen(first.place, true)
      await seen(second.place, false)
      expect(await messages()).toMatchObject([{ is_read: true }])
    }
  })

  it('does not undo what was read here before the server was told', async () => {
    const message = arrived(box, 'CLIENTS')
    await store(engine, box, message)
    const [{ id } = { id: '' }] = await messages()
    await service.asExpert(here.expert).put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } })
    expect(await places()).toMatchObject([{ seen: false, seen_to_set: true }])
    await seen(message.place, false)
    expect(await messages()).toMatchObject([{ is_read: true }])
    await seen(message.place, true)
    expect(await places()).toMatchObject([{ seen: true, seen_to_set: null }])
    await seen(message.place, false)
    expect(await messages()).toMatchObject([{ is_read: false }])
  })

  it('is to be set there again where it was changed back here while the server was told', async () => {
    const message = arrived(box, 'CLIENTS')
    await store(engine, box, message)
    const [{ id } = { id: '' }] = await messages()
    const read = (is_read: string) =>
      service.asExpert(here.expert).put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read } })
    const folders = remoteFolderRepository(engine.db)
    const [folder] = (await folders.known(box)).values()
    if (!folder) throw new Error('The mailbox has no folder.')
    await read('1')
    expect(await folders.seenToSet(folder)).toEqual([{ uid: message.place.uid, seen: true }])
    await read('0')
    await engine.db.write(office(here.customerId), (tx) => folders.seenSet(tx, folder, [message.place.uid], true))
    expect(await places()).toMatchObject([{ seen: true, seen_to_set: false }])
    expect(await messages()).toMatchObject([{ is_read: false }])
  })
})
