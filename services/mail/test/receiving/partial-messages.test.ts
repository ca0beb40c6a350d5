import { randomUUID } from 'node:crypto'
import type { TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import {
  arrived,
  newMailbox,
  officeWithMail,
  type Receiver,
  receiver,
  store,
  storeOne,
  type TestMailbox,
  type TestMessage,
} from '../support/mailbox.js'

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
let messageId: string
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  messageId = `${randomUUID()}@elsewhere.example`
})

const receive = (message: TestMessage, mailbox = box) => store(engine, mailbox, arrived(mailbox, 'OTHERS', { messageId, ...message }))
const internalDate = new Date('2026-11-24T10:00:00Z')
const whole = { size: 5_000_000, internalDate, partial: false }
const partial = { size: 5_000_000, internalDate, partial: true }
const isStored = { stored: 1, duplicates: 0 }
const isKnown = { stored: 0, duplicates: 1 }

describe('a message without its files', () => {
  it.each([
    ['comes whole later', partial, whole],
    ['was here as a whole', whole, partial],
    ['is cut in another way', partial, partial],
  ])('is recognised where it %s', async (_, first, second) => {
    expect(await receive(first)).toMatchObject(isStored)
    const { unusedBlobs, ...result } = await receive(second)
    expect([result, unusedBlobs]).toEqual([isKnown, [expect.any(String)]])
    const [{ count } = { count: 0 }] = await service.database.rows(
      `SELECT count(*)::int AS count FROM message_locations WHERE customer_id = ${here.customerId} AND message_id IS NOT NULL`,
    )
    expect(count).toBe(2)
  })

  it('is another message with another size, date of arrival or Message-ID, without a Message-ID, or in another mailbox', async () => {
    expect(await receive(whole)).toMatchObject(isStored)
    const other = await newMailbox(engine, here, here.expert.userId)
    const later = new Date(internalDate.getTime() + 1000)
    const others = [
      { ...partial, internalDate: later },
      { ...partial, size: 5_000_001 },
      { ...partial, messageId: 'other@elsewhere.example' },
      { ...partial, messageId: null },
    ]
    for (const message of others) expect(await receive(message)).toMatchObject(isStored)
    expect(await receive(partial, other)).toMatchObject(isStored)
  })

  it('is stored beside different whole messages with the same Message-ID', async () => {
    expect(await receive(whole)).toMatchObject(isStored)
    expect(await receive(whole)).toMatchObject(isStored)
  })

  it('is not stored again when it was removed for good', async () => {
    await receive(partial)
    await service.database.rows(`UPDATE mail_received_messages SET removed = true WHERE customer_id = ${here.customerId}`)
    expect(await receive(whole)).toMatchObject(isKnown)
  })

  it('is marked, and serves neither its source nor its attachments', async () => {
    const file = { position: 0, filename: 'one.pdf', mime: 'application/pdf', size: 4_000_000, contentId: null }
    const id = await storeOne(engine, box, 'OTHERS', { messageId, ...partial, attachments: [file] })
    const http = service.asExpert(here.expert)
    const path = `/mail_received_mysql_message/${id}`
    expect((await http.get(path)).body).toMatchObject({ MailReceivedMysqlMessage: { partial: '1', has_attachments: '1', size: '5000000' } })
    expect((await http.get(`${path}/attachment`)).body).toMatchObject({ MailAttachment: [{ filename: 'one.pdf', size: '4000000' }] })
    for (const each of [`${path}/source`, `${path}/attachment/0`]) {
      const { status, body } = await http.get(each)
      expect([status, body]).toMatchObject([409, { status: 'error', errorCode: 'MAIL_ATTACHMENTS_NOT_DOWNLOADED' }])
    }
    expect((await http.get(`${path}/attachment/1`)).status).toBe(404)
    expect(await service.database.rows(`SELECT id FROM kit.job WHERE name = 'attachment-scan' AND key = '${id}'`)).toEqual([])
    const stranger = service.asExpert(officeWithMail(service).expert)
    for (const each of [`${path}/source`, `${path}/attachment/0`]) expect((await stranger.get(each)).status).toBe(404)
  })
})
