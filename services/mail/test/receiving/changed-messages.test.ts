import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { messageTopic } from '@caseway/protos/topics'
import { type GrpcClient, grpcClient, type Person, type TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import {
  arrived,
  mailRights,
  newMailbox,
  officeWithMail,
  type Receiver,
  receiver,
  store,
  storeOne,
  type TestMailbox,
} from '../support/mailbox.js'
import { mailFolder } from '../support/storage.js'

let storage: Awaited<ReturnType<typeof mailFolder>>
let service: TestService
let engine: Receiver
let messages: GrpcClient
beforeAll(async () => {
  storage = await mailFolder()
  service = await testService(mail, { variables: { MAIL_ROLES: 'http', MAIL_FOLDER: storage.folder } })
  engine = receiver(service.database)
  messages = grpcClient(service.service.grpcAddress, 'caseway.mail.v1.MessageService')
})
afterAll(async () => {
  messages.close()
  await engine.db.close()
  await service.stop()
  await storage.remove()
})

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

const received = '/mail_received_mysql_message'
const sent = '/mail_sent_mysql_message'
const expert = () => service.asExpert(here.expert)
const put = (id: Id, fields: object) => expert().put(`${received}/${id}`, { MailReceivedMysqlMessage: fields })

/**
 * The events published for the office of the test, as `user: received
 * sent`.
 */
async function published(): Promise<string[]> {
  const all = (await service.published(messageTopic)).map(({ event }) => event)
  return all
    .filter(({ customerId }) => customerId === here.customerId)
    .map(({ userId, receivedIds, sentIds }) => `${userId}: ${receivedIds.join(' ')} | ${sentIds.join(' ')}`)
}

interface Asked {
  readonly receivedIds?: readonly (Id | number)[]
  readonly sentIds?: readonly (Id | number)[]
  readonly role?: string
}
async function shownTo({ userId }: Person<unknown>, { receivedIds = [], sentIds = [], role = 'expert' }: Asked, of = here) {
  const request = { customer_id: String(of.customerId), user_id: String(userId), role }
  const ids = { received_ids: receivedIds.map(String), sent_ids: sentIds.map(String) }
  const { records } = await messages.call<{ records: string[] }>('getMessages', { ...request, ...ids })
  return records.map((record) => JSON.parse(record))
}
const goneOf = (id: Id) => ({ MailReceivedMysqlMessage: { id: String(id) } })

describe('a received message', () => {
  it('is published once with its batch, and not when a backfill stores it', async () => {
    const old = { ...arrived(box, 'OTHERS'), silent: true }
    await store(engine, box, old)
    expect(await published()).toEqual([])
    const batch = Array.from({ length: 3 }, () => arrived(box, 'OTHERS'))
    await store(engine, box, old, ...batch)
    const ids = (await expert().get<{ MailReceivedMysqlMessage: { id: string } }[]>(`${received}?sort=id`)).body
    const [, ...fresh] = ids.map(({ MailReceivedMysqlMessage: { id } }) => id)
    expect(await published()).toEqual([`${here.expert.userId}: ${fresh.join(' ')} | `])
    await store(engine, box, ...batch)
    expect(await published()).toHaveLength(1)
  })

  it('is published when it is read here or on its server, moved, and deleted', async () => {
    const [own, everybody] = [here.expert.userId, 0n]
    const one = arrived(box, 'OTHERS')
    await store(engine, box, one)
    const [{ id }] = (await service.database.rows('SELECT id FROM mail_received_messages WHERE customer_id = $1', [here.customerId])) as [
      { id: Id },
    ]
    const seen = (seen: boolean) =>
      engine.db.write(office(here.customerId), (tx) => engine.intake.seen(tx, box, [{ place: one.place, seen }]))
    await seen(true)
    await seen(true)
    await put(id, { is_read: 0 })
    await put(id, { folder_name: 'CLIENTS' })
    await put(id, { folder_name: 'OTHERS' })
    await expert().delete(`${received}/${id}`)
    await expert().delete(`${received}/${id}`)
    const to = [own, own, own, everybody, everybody, own, own]
    expect(await published()).toEqual(to.map((user) => `${user}: ${id} | `))
  })

  it('is shown to those who may read it, in the form of lists, and to nobody else', async () => {
    const own = await storeOne(engine, box, 'OTHERS')
    const common = await storeOne(engine, box, 'CLIENTS')
    const receivedIds = [common, own]
    const list = (await expert().get<object[]>(`${received}?sort=-id`)).body
    expect(await shownTo(here.expert, { receivedIds })).toEqual(list)
    expect(JSON.stringify(list)).not.toContain('mail_body')
    expect(await shownTo(here.specialist, { receivedIds })).toEqual([list[0]])
    expect(await shownTo(here.trainee, { receivedIds })).toEqual([])
    const there = officeWithMail(service)
    expect(await shownTo(there.expert, { receivedIds }, there)).toEqual([])
    expect(await shownTo(here.expert, { receivedIds }, there)).toEqual([])
    service.auth.rights.set(here.administrator.userId, mailRights)
    expect(await shownTo(here.administrator, { receivedIds, role: 'administrator' })).toEqual([list[0]])
  })

  it('that was moved away or deleted is shown with its id alone, to those who could read it before', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const people = [here.expert, here.specialist, here.trainee]
    const shown = async () => Promise.all(people.map(async (person) => shownTo(person, { receivedIds: [id] })))
    await put(id, { folder_name: 'OTHERS' })
    const record = { MailReceivedMysqlMessage: expect.objectContaining({ id: String(id), folder_name: 'OTHERS' }) }
    expect(await shown()).toEqual([[record], [goneOf(id)], []])
    await service.database.rows(`UPDATE mail_traces SET created = now() - interval '61 minutes' WHERE message_id = $1`, [id])
    expect((await shown())[1]).toEqual([])
    await expert().delete(`${received}/${id}`)
    await expert().delete(`${received}/${id}`)
    expect(await shown()).toEqual([[goneOf(id)], [], []])
  })
})

describe('a message that somebody writes', () => {
  it('is published to its author with each state', async () => {
    const mailbox = await createMailServer(expert(), { server_protocol: 1, server_address: 'smtp.office.example', server_port: 465 })
    const fields = { mail_server_id: mailbox, mail_to_address: ['jan@client.example'], mail_body: '<p>Hello</p>', status: 4 }
    const { id } = (await expert().post<{ id: number }>(sent, { MailSentMysqlMessage: fields })).body
    const states = async () => (await shownTo(here.expert, { sentIds: [id] }))[0].MailSentMysqlMessage
    expect(await states()).toMatchObject({ id: String(id), status: '4' })
    await expert().put(`${sent}/${id}`, { MailSentMysqlMessage: { status: 0 } })
    const { mail_body: _, ...shown } = (await expert().get<{ MailSentMysqlMessage: { mail_body: string } }>(`${sent}/${id}`)).body
      .MailSentMysqlMessage
    expect(await states()).toEqual(shown)
    expect(await shownTo(here.expert, { sentIds: [id], role: 'administrator' })).toEqual([])
    await expert().delete(`${sent}/${id}`)
    expect(await states()).toMatchObject({ folder_name: 'TRASH' })
    await expert().delete(`${sent}/${id}`)
    expect(await states()).toEqual({ id: String(id) })
    expect(await published()).toEqual(Array.from({ length: 4 }, () => `${here.expert.userId}:  | ${id}`))
  })
})
