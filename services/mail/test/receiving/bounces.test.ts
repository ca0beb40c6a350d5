import type { Id } from '@caseway/kit/caller'
import { sentMessageTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { threadedMailParser } from '../../src/parsing/threaded-mail-parser.client.js'
import { mail } from '../../src/wiring.js'
import {
  arrived,
  newMailbox,
  officeWithMail,
  type Receiver,
  receiver,
  store,
  type TestMailbox,
  testMessageIds,
} from '../support/mailbox.js'

const parser = threadedMailParser(1)
let service: TestService
let engine: Receiver
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
  await parser.close()
})

let here: TestTenant
let box: TestMailbox
let messageId: string
let sent: Id
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  messageId = testMessageIds.make(here.customerId, box.address)
  sent = await written(messageId)
})

async function written(id: string): Promise<Id> {
  const [row] = await service.database.rows<{ id: string }>(
    `WITH message AS (
       INSERT INTO mail_sent_messages (customer_id, mail_server_id, user_id, status, folder_name, msg_unique_identifier, blob_key)
       VALUES ($1, $2, $3, 2, 'SENT', $4, 'a key') RETURNING id
     ), recipients AS (
       INSERT INTO mail_sent_recipients (customer_id, sent_message_id, position, kind, address, state)
       SELECT $1, id, place, 'to', address, 'accepted' FROM message, (VALUES (0, 'one@x.example'), (1, 'two@x.example')) AS named (place, address)
     ) SELECT id FROM message`,
    [here.customerId, box.id, here.expert.userId, id],
  )
  return BigInt((row as { id: string }).id)
}
const state = async () => ({
  message: (await service.database.rows('SELECT status, error FROM mail_sent_messages WHERE id = $1', [sent]))[0],
  to: await service.database.rows('SELECT state, error FROM mail_sent_recipients WHERE sent_message_id = $1 ORDER BY position', [sent]),
})
const sentEvents = async () => (await service.published(sentMessageTopic)).filter(({ event }) => event.id === sent)
const linked = () =>
  service.database.rows("SELECT reason FROM mail_traces WHERE customer_id = $1 AND kind = 'reported' AND message_id IS NOT NULL", [
    here.customerId,
  ])
const accepted = { state: 'accepted', error: '' }
const unchanged = { message: { status: 2, error: null }, to: [accepted, accepted] }

interface Report {
  readonly groups: readonly (readonly string[])[]
  readonly about?: string | null
  readonly type?: string
  readonly headers?: readonly string[]
}
let unique = 0
function report({ groups, about = messageId, type = 'message/rfc822', headers = [] }: Report): string {
  const lines = [
    ...['From: MAILER-DAEMON@mx.example', `Message-ID: <${unique++}@mx.example>`, 'Subject: Undelivered', 'MIME-Version: 1.0', ...headers],
    ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', '', '--b', '', 'It failed.', ''],
    ...[
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      'Arrival-Date: Mon, 23 Nov 2026 10:00:00 +0000',
      '',
    ],
    ...groups.flatMap((group) => [...group, '']),
    ...(about === null ? [] : ['--b', `Content-Type: ${type}`, '', `Message-ID: <${about}>`, 'Subject: Hello', '', '']),
    '--b--',
  ]
  return lines.join('\r\n')
}
async function receive(source: string, at = box) {
  const parsed = await parser.message(Buffer.from(source))
  await store(engine, at, { ...arrived(at, 'OTHERS', { bytes: source }), parsed })
}
const failed = (address = 'one@x.example') => [`Final-Recipient: rfc822; ${address}`, 'Action: failed', 'Status: 5.1.1']

describe('a delivery report', () => {
  it.each<readonly [string, Report, string]>([
    [
      'Postfix',
      {
        groups: [
          [
            ...['Final-Recipient: rfc822; one@x.example', 'Original-Recipient: rfc822;one@x.example', 'Action: failed', 'Status: 5.1.1'],
            ...['Remote-MTA: dns; mx.x.example', 'Diagnostic-Code: smtp; 550 5.1.1 <one@x.example>: no such', '    user'],
          ],
        ],
      },
      'The message could not be delivered (5.1.1): 550 5.1.1 <one@x.example>: no such user',
    ],
    [
      'Exim',
      { type: 'text/rfc822-headers', groups: [['Action: failed', 'Final-Recipient: rfc822;one@x.example', 'Status: 5.0.0']] },
      'The message could not be delivered (5.0.0).',
    ],
    [
      'Exchange',
      {
        groups: [
          [
            'Final-recipient: RFC822; One@X.example',
            'Action: failed',
            'Status: 5.2.2',
            'Diagnostic-code: smtp;552 5.2.2 full',
            'X-Display-Name: One',
          ],
        ],
      },
      'The message could not be delivered (5.2.2): 552 5.2.2 full',
    ],
    [
      'Gmail, whose report answers the message',
      { about: null, groups: [[...failed(), 'Last-Attempt-Date: Mon, 23 Nov 2026 02:00:00 -0800 (PST)']] },
      'The message could not be delivered (5.1.1).',
    ],
  ])('of %s marks the recipient as failed', async (_, of, error) => {
    await receive(report(of.about === null ? { ...of, headers: [`In-Reply-To: <${messageId}>`] } : of))
    expect(await state()).toEqual({ message: { status: 3, error }, to: [{ state: 'failed', error }, accepted] })
    expect(await sentEvents()).toHaveLength(1)
    expect(await linked()).toEqual([{ reason: { by: 'report', mail_sent_message: String(sent) } }])
  })

  it('that arrives twice, or about the same recipient again, notifies the author once', async () => {
    const source = report({ groups: [failed()] })
    await receive(source)
    await receive(source)
    await receive(report({ groups: [failed()] }))
    expect((await state()).to).toMatchObject([{ state: 'failed' }, accepted])
    expect(await sentEvents()).toHaveLength(1)
  })

  it('about another recipient notifies the author again', async () => {
    await receive(report({ groups: [failed()] }))
    const full = ['Final-Recipient: rfc822; two@x.example', 'Action: failed', 'Status: 5.2.2', 'Diagnostic-Code: smtp; 552 5.2.2 full']
    await receive(report({ groups: [full, failed()] }))
    expect((await state()).to).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
    expect((await state()).message).toEqual({ status: 3, error: 'The message could not be delivered (5.2.2): 552 5.2.2 full' })
    expect(new Set((await sentEvents()).map(({ event }) => event.revision)).size).toBe(2)
  })

  it.each([
    ['waits to be tried again', 0, null],
    ['is being sent', 1, 'claimed'],
    ['may have been sent', 1, 'dot'],
  ])('of a message that %s changes the recipient, and leaves the message to the sending engine', async (_, status, phase) => {
    await service.database.rows('UPDATE mail_sent_messages SET status = $2, phase = $3 WHERE id = $1', [sent, status, phase])
    await service.database.rows("UPDATE mail_sent_recipients SET state = 'pending' WHERE sent_message_id = $1 AND position = 1", [sent])
    await receive(report({ groups: [failed(), failed('two@x.example')] }))
    const recipient = { state: 'failed', error: 'The message could not be delivered (5.1.1).' }
    expect(await state()).toEqual({ message: { status, error: null }, to: [recipient, recipient] })
    expect(await sentEvents()).toEqual([])
  })

  it('that arrives after a final one changes nothing', async () => {
    const of = (address: string, action: string) => [`Final-Recipient: rfc822; ${address}`, `Action: ${action}`, 'Status: 4.4.1']
    await receive(report({ groups: [of('one@x.example', 'delivered'), failed('two@x.example')] }))
    const known = await state()
    await receive(report({ groups: [failed(), of('two@x.example', 'delivered')] }))
    await receive(report({ groups: [of('one@x.example', 'delayed'), of('two@x.example', 'delayed')] }))
    expect(await state()).toEqual(known)
    expect(await sentEvents()).toHaveLength(1)
  })

  it('may report a delay, and then a delivery', async () => {
    const of = (action: string, status: string) =>
      report({ groups: [['Final-Recipient: rfc822; one@x.example', `Action: ${action}`, `Status: ${status}`]] })
    await receive(of('relayed', '2.0.0'))
    expect(await state()).toEqual(unchanged)
    await receive(of('delayed', '4.4.1'))
    const error = 'The message is not yet delivered, and the mail server tries again (4.4.1).'
    expect(await state()).toEqual({ ...unchanged, to: [{ state: 'delayed', error }, accepted] })
    await receive(of('delivered', '2.0.0'))
    await receive(of('delayed', '4.4.1'))
    expect(await state()).toEqual({ ...unchanged, to: [{ state: 'delivered', error: '' }, accepted] })
    expect(await sentEvents()).toEqual([])
  })

  it('changes nothing when it is forged', async () => {
    const signedForAnother = testMessageIds.make(here.customerId + 1n, box.address)
    const unsigned = `${messageId.split('.')[0]}.${'A'.repeat(16)}@office.example`
    for (const about of [signedForAnother, unsigned, 'x@y.example']) {
      await service.database.rows('UPDATE mail_sent_messages SET msg_unique_identifier = $2 WHERE id = $1', [sent, about])
      await receive(report({ about, groups: [failed()] }))
    }
    expect(await linked()).toEqual([])
    await service.database.rows('UPDATE mail_sent_messages SET msg_unique_identifier = $2 WHERE id = $1', [sent, messageId])
    await receive(report({ groups: [failed('three@x.example')] }))
    expect(await state()).toEqual(unchanged)
  })

  it('changes nothing in a mailbox that has not sent the message', async () => {
    await receive(report({ groups: [failed()] }), await newMailbox(engine, here, here.expert.userId))
    await receive(report({ groups: [failed()] }), await newMailbox(engine, here, here.specialist.userId))
    expect(await state()).toEqual(unchanged)
    expect(await linked()).toEqual([])
  })

  it('about ten thousand recipients changes those of the message', async () => {
    const others = Array.from({ length: 10_000 }, (_, i) => failed(`r${i}@x.example`))
    await receive(report({ groups: [...others, failed('two@x.example')] }))
    expect((await state()).to).toMatchObject([accepted, { state: 'failed' }])
  })
})

it('a report that waits for its message holds no count, since changes of messages lock counts last', async () => {
  await receive(report({ groups: [] }))
  const change = await holdTransaction(service.database, 'SELECT FROM mail_sent_messages WHERE id = $1 FOR UPDATE', [sent])
  const arrival = receive(report({ groups: [failed()] }))
  await untilWaiting(service.database, 1)
  await change.query('SELECT FROM folder_counts WHERE customer_id = $1 FOR UPDATE NOWAIT', [here.customerId])
  await change.commit()
  await arrival
  expect(await state()).toMatchObject({ message: { status: 3 } })
})
