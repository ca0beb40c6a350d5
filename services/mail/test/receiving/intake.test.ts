import { office } from '@caseway/kit/database'
import type { TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { arrived, countsOf, newMailbox, officeWithMail, store, storeOne, type TestMailbox } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'
import { storedMessages } from '../support/stored-messages.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

const { messages, places } = storedMessages(service, () => here)

describe('store', () => {
  it('stores a message with its parts, its place and its trace', async () => {
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

  it.each([
    ['own', {}],
    ['list', { autoKind: 'list' }],
  ] as const)('says of what comes from the address of the mailbox that it is %s', async (kind, fields) => {
    await storeOne(engine, box, 'SENT', { ...fields, from: { address: box.address.toUpperCase(), name: '' } })
    expect(await messages()).toMatchObject([{ auto_kind: kind }])
  })

  it('stores the same bytes once in a mailbox, with both places, and again in another mailbox', async () => {
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

  it('does not store again what was removed for good', async () => {
    const id = await storeOne(engine, box, 'TRASH', { bytes: 'removed' })
    await service.asExpert(here.expert).delete(`/mail_received_mysql_message/${id}`)
    expect(await store(engine, box, arrived(box, 'OTHERS', { bytes: 'removed' }))).toMatchObject({ stored: 0, duplicates: 1 })
    expect((await service.asExpert(here.expert).get<unknown[]>('/mail_received_mysql_message')).body).toEqual([])
  })

  it('stores a message once that arrives twice at the same time', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => store(engine, box, arrived(box, 'OTHERS', { bytes: 'parallel' }))))
    expect(results.map(({ stored }) => stored).sort()).toEqual([0, 0, 0, 1])
  })

  it('stores a message that cannot be parsed with the data of its header', async () => {
    await store(engine, box, { ...arrived(box, 'OTHERS', { subject: 'Of the header', headers: { 'list-id': '<x>' } }), parsed: null })
    expect(await messages()).toMatchObject([{ mail_subject: 'Of the header', parse_state: 'failed', auto_kind: 'list', mail_body: '' }])
  })

  it('joins messages to conversations by In-Reply-To and References, in whatever order they arrive', async () => {
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

  it('keeps the nearest of many references, as whole Message-IDs', async () => {
    const references = Array.from({ length: 100 }, (_, at) => `${String(at).padStart(90, '0')}@x`)
    const id = await storeOne(engine, box, 'OTHERS', { references })
    const [row] = await service.database.rows<{ reference: string }>('SELECT reference FROM mail_received_messages WHERE id = $1', [id])
    expect(row?.reference.split(' ')).toEqual(references.slice(-86))
  })

  it('puts a message of a folder that was deleted meanwhile into OTHERS', async () => {
    const http = service.asExpert(here.expert)
    const { body } = await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'Soon gone' } })
    const message = arrived(box, { system: null, custom: BigInt(body.id) })
    await http.delete(`/mail_folder/${body.id}`)
    await store(engine, box, message)
    expect(await messages()).toMatchObject([{ folder_name: 'OTHERS', mail_folder_id: null }])
  })

  it('keeps a text of any length, and shows overlong HTML as text', async () => {
    const text = `${'😀'.repeat(200_000)}`
    await store(engine, box, arrived(box, 'OTHERS', { text, subject: 's'.repeat(5000), html: '<b>x</b>'.repeat(100_000) }))
    const [message] = await messages()
    expect(message?.mail_body).toMatch(/^<div style="white-space:pre-wrap">😀/)
    expect(message?.mail_body.isWellFormed()).toBe(true)
  })

  it('yields to other work while it sanitises much HTML', async () => {
    const began = performance.now()
    let [turn, longest] = [began, 0]
    const others = setInterval(() => {
      longest = Math.max(longest, performance.now() - turn)
      turn = performance.now()
    }, 10)
    await store(engine, box, ...Array.from({ length: 8 }, () => arrived(box, 'OTHERS', { html: '<p>'.repeat(100_000) })))
    clearInterval(others)
    expect(longest).toBeLessThan((performance.now() - began) / 2)
  })
})

describe('discard', () => {
  it('records the place and the reason, and lets a backfill store the message', async () => {
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
