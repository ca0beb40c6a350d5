import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { arrived, countsOf, officeWithMail, placeIn, store, type TestMailbox } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'
import { storedMessages } from '../support/stored-messages.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
beforeEach(() => {
  here = officeWithMail(service)
})

const expert = () => service.asExpert(here.expert)
const { messages, places } = storedMessages(service, () => here)
const rowsOf = (id: number) => service.database.rows<{ version: number }>(`SELECT * FROM mail_servers WHERE id = ${id}`)

/** The mailbox as receiving sees it, with a folder on its server. */
async function receivedAs(id: number): Promise<TestMailbox> {
  const { customerId, expert } = here
  const folder = await engine.db.write(office(customerId), (tx) =>
    tx.remoteFolder.create({ data: { customerId, mailServerId: BigInt(id), path: `INBOX ${randomId()}` } }),
  )
  const receiving = { userId: expert.userId, address: 'anna@office.example', fetchAfter: null, downloadAttachments: true }
  return { ...receiving, id: BigInt(id), customerId, remoteFolderId: folder.id as Id }
}

it('a mailbox that is deleted and created again keeps its messages, and stores none a second time', async () => {
  const before = await createMailServer(expert())
  const box = await receivedAs(before)
  const [read, removed, left] = ['read', 'removed', 'left'].map((bytes) => arrived(box, 'OTHERS', { bytes }))
  await store(engine, box, ...[read, removed, left].flatMap((one) => one ?? []))
  const [first, second] = (await messages()).map(({ id }) => id)
  await expert().put(`/mail_received_mysql_message/${first}`, { MailReceivedMysqlMessage: { is_read: '1', tags: ['kept'] } })
  for (let times = 0; times < 2; times++) await expert().delete(`/mail_received_mysql_message/${second}`)
  const stored = await messages()
  await expert().delete(`/mail_server/${before}`)
  const again = await createMailServer(expert(), { user_email: 'Anna@office.example', user_login: 'anna.nowak' })
  const now = await receivedAs(again)
  const coming = [read, removed, left].flatMap((one) => (one ? { ...one, place: placeIn(now) } : []))
  expect(await store(engine, now, ...coming)).toMatchObject({ stored: 0, duplicates: 3 })
  expect(await messages()).toEqual(stored)
  expect(stored).toMatchObject([1, 2, 3].map(() => ({ mail_server_id: String(again) })))
  // The flag that was set here is to be set on the server.
  expect(await places()).toMatchObject([{ seen_to_set: true }, { seen_to_set: null }, { seen_to_set: null }])
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
})

it('the deleted mailbox is taken once: a further mailbox with the address is a new one', async () => {
  const before = await createMailServer(expert())
  await expert().delete(`/mail_server/${before}`)
  const made = await Promise.all([1, 2, 3].map(() => createMailServer(expert())))
  expect(made.filter((id) => id === before)).toHaveLength(1)
  expect(new Set(made).size).toBe(3)
})

it.each([
  ['of a colleague', () => createMailServer(service.asExpert(here.specialist))],
  ['with another address', () => createMailServer(expert(), { user_email: 'bea@office.example' })],
  ['that sends', () => createMailServer(expert(), { server_protocol: 1, server_port: 587, server_encryption: 1 })],
])('a mailbox %s does not continue the deleted one', async (_, create) => {
  const before = await createMailServer(expert())
  await expert().delete(`/mail_server/${before}`)
  expect(await create()).toBeGreaterThan(before)
})

it('a mailbox that receives does not continue a deleted one that has only sent', async () => {
  const before = await createMailServer(expert(), { server_protocol: 1, server_port: 587, server_encryption: 1 })
  await expert().delete(`/mail_server/${before}`)
  expect(await createMailServer(expert())).toBeGreaterThan(before)
})

it('a mailbox that has received, and sends when it is deleted, can be continued', async () => {
  const before = await createMailServer(expert())
  const box = await receivedAs(before)
  const message = arrived(box, 'OTHERS')
  await store(engine, box, message)
  const sends = { server_protocol: 1, server_port: 587, server_encryption: 1, user_password: 'of SMTP' }
  expect((await expert().put(`/mail_server/${before}`, { MailServer: sends })).status).toBe(200)
  await expert().delete(`/mail_server/${before}`)
  expect(await createMailServer(expert(), { server_protocol: 1, server_port: 587, server_encryption: 1 })).toBeGreaterThan(before)
  expect(await createMailServer(expert())).toBe(before)
  const now = await receivedAs(before)
  expect(await store(engine, now, { ...message, place: placeIn(now) })).toMatchObject({ stored: 0, duplicates: 1 })
})

it('continues the versions of the deleted one, so that an old entity tag does not match', async () => {
  const before = await createMailServer(expert())
  await expert().put(`/mail_server/${before}`, { MailServer: { user_name: 'Ada' } })
  const [{ version } = { version: 0 }] = await rowsOf(before)
  await expert().delete(`/mail_server/${before}`)
  expect(await createMailServer(expert())).toBe(before)
  expect(await rowsOf(before)).toMatchObject([{ version: version + 1, user_name: 'Anna Nowak' }])
})
