import { mailboxTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { type MailboxHealth, mailboxHealthRepository } from '../../src/receiving/mailboxes/mailbox-health.repository.js'
import { mail } from '../../src/wiring.js'
import { rowOf } from '../support/mail-servers.js'
import { newMailbox, type Receiver, receiver, type TestMailbox } from '../support/mailbox.js'

let service: TestService
let engine: Receiver
let health: MailboxHealth
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
  engine = receiver(service.database)
  health = mailboxHealthRepository(engine.db)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
})

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = service.office()
  box = await newMailbox(engine, here, here.expert.userId)
})

const set = (columns: string) => service.database.rows(`UPDATE mail_servers SET ${columns} WHERE id = ${box.id}`)
const row = () => rowOf(service, box.id)
const publishedEvents = async () => (await service.published(mailboxTopic)).filter(({ event }) => event.id === box.id)
const almost = 'refused_logins = 4, refused_since = now(), failures = 4'

it('the fifth refused login stops a mailbox, and is published with the new version', async () => {
  await set(almost)
  expect(await health.failed(box, 'auth')).toBeNull()
  const { state, version } = (await row()) ?? {}
  expect(state).toBe('auth_failed')
  expect((await publishedEvents()).map(({ event }) => event)).toEqual([
    { id: box.id, customerId: here.customerId, userId: here.expert.userId, revision: BigInt(Number(version)) },
  ])
})

it('other failures stop no mailbox', async () => {
  await set(almost)
  for (const failed of ['dns', 'connect', 'tls', 'protocol'] as const) expect(await health.failed(box, failed)).toBeGreaterThan(20_000)
  expect(await row()).toMatchObject({ state: 'active', refused_logins: 4, failures: 8, last_error: 'protocol' })
  expect(await publishedEvents()).toEqual([])
})

it('a mailbox that was paused meanwhile stays paused, and nobody is notified', async () => {
  await set(`${almost}, state = 'paused'`)
  expect(await health.failed(box, 'auth')).toBeNull()
  expect(await row()).toMatchObject({ state: 'paused' })
  expect(await publishedEvents()).toEqual([])
})

it('a mailbox that its owner corrects at the same time stays active', async () => {
  await set(almost)
  const right = 'UPDATE mail_servers SET refused_logins = 0, refused_since = NULL, failures = 0, last_error = NULL WHERE id = $1'
  const held = await holdTransaction(service.database, right, [box.id])
  const failing = health.failed(box, 'auth')
  await untilWaiting(service.database, 1)
  await held.commit()
  expect(await failing).toBeGreaterThan(20_000)
  expect(await row()).toMatchObject({ state: 'active', refused_logins: 1, failures: 1 })
})

it('a success clears the failures of its mailbox alone, and does not change its version', async () => {
  const other = await newMailbox(engine, here, here.expert.userId)
  await service.database.rows(`UPDATE mail_servers SET ${almost}, last_error = 'auth' WHERE id IN (${box.id}, ${other.id})`)
  const before = (await row()) ?? {}
  await health.succeeded(box)
  const well = { state: 'active', last_error: null, failures: 0, refused_logins: 0, refused_since: null, last_fetch_at: expect.any(Date) }
  expect(await row()).toEqual({ ...before, ...well })
  const beside = await rowOf(service, other.id)
  expect(beside).toMatchObject({ failures: 4, refused_logins: 4, last_error: 'auth', last_fetch_at: null })
  await health.succeeded({ id: other.id, customerId: here.customerId + 1n })
  expect(await rowOf(service, other.id)).toEqual(beside)
})
