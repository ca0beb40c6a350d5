import { randomId, type TestTenant } from '@caseway/testing'
import { client, employee, type ObjectsClient, objectsClient, status } from '@caseway/testing/objects-client'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import { newMailbox, officeWithMail, type Receiver, receiver, storeOne } from '../support/mailbox.js'

let service: TestService
let engine: Receiver
let objects: ObjectsClient
let here: TestTenant
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
  engine = receiver(service.database)
  objects = objectsClient(service.service.grpcAddress)
})
afterAll(async () => {
  objects.close()
  await engine.db.close()
  await service.stop()
})
beforeEach(() => {
  here = officeWithMail(service)
})

const { OK, NOT_FOUND } = status
const ask = (person: object, name: string, id: number | bigint, { customerId } = here) => objects.mayLink(customerId, person, name, id)

describe('a file may be attached', () => {
  it('to a received message, by whoever sees it', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const own = await storeOne(engine, box, 'OTHERS')
    const shared = await storeOne(engine, box, 'CLIENTS', { messageId: 'b@x' })
    const received = (person: object, id: bigint) => ask(person, 'MailReceivedMysqlMessage', id)
    const [expert, trainee] = [employee(here.expert, 'expert'), employee(here.trainee, 'trainee')]
    expect([await received(expert, own), await received(trainee, own)]).toEqual([OK, NOT_FOUND])
    expect([await received(expert, shared), await received(client(service.client(here)), shared)]).toEqual([OK, NOT_FOUND])
    expect(await objects.stateOf(here.customerId, 'MailReceivedMysqlMessage', own)).toEqual({ id: String(own), revision: '1' })
  })

  it('to a sent message, by its author alone', async () => {
    const http = service.asExpert(here.expert)
    const mailServer = await createMailServer(http, { server_protocol: 1, server_port: 465 })
    const draft = { mail_server_id: mailServer, mail_to_address: ['a@sample.example'], status: 4 }
    const { id } = (await http.post<{ id: number }>('/mail_sent_mysql_message', { MailSentMysqlMessage: draft })).body
    const sent = (person: object) => ask(person, 'MailSentMysqlMessage', id)
    expect(await sent(employee(here.expert, 'expert'))).toBe(OK)
    expect(await sent(employee(here.expert, 'administrator'))).toBe(NOT_FOUND)
    expect(await sent(employee(here.trainee, 'trainee'))).toBe(NOT_FOUND)
    await http.delete(`/mail_sent_mysql_message/${id}`)
    expect(await objects.stateOf(here.customerId, 'MailSentMysqlMessage', id)).toBeUndefined()
  })

  it("never to another office's message, to one that was removed for good, nor to one that nobody has", async () => {
    const there = officeWithMail(service)
    const box = await newMailbox(engine, there, there.expert.userId)
    const foreign = await storeOne(engine, box, 'OTHERS')
    const expert = employee(here.expert, 'expert')
    for (const id of [foreign, randomId()]) expect(await ask(expert, 'MailReceivedMysqlMessage', id)).toBe(NOT_FOUND)
    const remove = () => service.asExpert(there.expert).delete(`/mail_received_mysql_message/${foreign}`)
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
    expect(await ask(employee(there.expert, 'expert'), 'MailReceivedMysqlMessage', foreign, there)).toBe(NOT_FOUND)
    expect(await objects.stateOf(there.customerId, 'MailReceivedMysqlMessage', foreign)).toBeUndefined()
  })
})
