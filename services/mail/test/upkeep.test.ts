import { randomBytes } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { diskBlobStore, newBlobKey } from '@caseway/kit/blobs'
import { office } from '@caseway/kit/database'
import { eventually, type TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../src/wiring.js'
import { createMailServer } from './support/mail-servers.js'
import { arrived, newMailbox, officeWithMail, type Receiver, receiver, store, type TestMailbox } from './support/mailbox.js'
import { mailFolder } from './support/storage.js'

let storage: Awaited<ReturnType<typeof mailFolder>>
let service: TestService
let engine: Receiver
beforeAll(async () => {
  storage = await mailFolder()
  service = await testService(mail, { variables: { MAIL_FOLDER: storage.folder, MAIL_TRACE_RETENTION_DAYS: '30' } })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
  await storage.remove()
})

let here: TestTenant
beforeEach(() => {
  here = officeWithMail(service)
})

/** Runs a scheduled job, and waits for its end. */
async function tick(name: string) {
  const { rows } = service.database
  const done = `SELECT id FROM kit.job WHERE name = '${name}' AND state = 'done'`
  const before = (await rows(done)).length
  await rows(`UPDATE kit.schedule SET next = now() WHERE name = '${name}'`)
  await eventually(async () => expect((await rows(done)).length).toBeGreaterThan(before), { timeoutMs: 20_000 })
}

describe('a mailbox without a job', () => {
  const jobsOf = (id: number) =>
    service.database.rows(`SELECT state FROM kit.job WHERE name = 'mailbox-sync' AND key = '${id}' AND state <> 'done'`)
  const mailbox = (fields: object = {}) =>
    createMailServer(service.asExpert(here.expert), { server_address: 'imap.office.invalid', ...fields })
  /** Its server does not exist, so that its job waits for the next try. */
  const receivedMailbox = async (fields: object = {}) => {
    const id = await mailbox(fields)
    await eventually(async () => expect(await jobsOf(id)).toEqual([{ state: 'waiting' }]), { timeoutMs: 20_000 })
    return id
  }
  const forget = (id: number) => service.database.rows(`DELETE FROM kit.job WHERE name = 'mailbox-sync' AND key = '${id}'`)

  it.each([
    ['IMAP', {}],
    ['POP3', { server_protocol: 3, server_port: 995 }],
  ])('gets one again, when it is received over %s', async (_, fields) => {
    const id = await receivedMailbox(fields)
    await forget(id)
    await tick('mailbox-safety')
    await eventually(async () => expect(await jobsOf(id)).toHaveLength(1), { timeoutMs: 20_000 })
    await tick('mailbox-safety')
    expect(await jobsOf(id)).toHaveLength(1)
  })

  it('gets none when it sends, is paused, or was stopped', async () => {
    const http = service.asExpert(here.expert)
    const sends = await mailbox({ server_protocol: 1, server_port: 465 })
    const [paused, stopped] = [await receivedMailbox(), await receivedMailbox()]
    expect((await http.post(`/mail_server/${paused}/pause`)).status).toBe(200)
    await service.database.rows(`UPDATE mail_servers SET state = 'auth_failed' WHERE id = ${stopped}`)
    for (const id of [paused, stopped]) await forget(id)
    await tick('mailbox-safety')
    const all = `SELECT state FROM kit.job WHERE name = 'mailbox-sync' AND key = ANY ($1)`
    expect(await service.database.rows(all, [[sends, paused, stopped].map(String)])).toEqual([])
  })
})

describe('bytes in the storage', () => {
  let box: TestMailbox
  beforeEach(async () => {
    box = await newMailbox(engine, here, here.expert.userId)
  })

  const pathOf = (key: string) => join(storage.folder, key.slice(0, 2), key.slice(2, 4), key)
  const stored = async (hours: number) => {
    const key = newBlobKey()
    await diskBlobStore(storage.folder).put(key, Readable.from([randomBytes(10)]))
    const then = Date.now() / 1000 - hours * 3600
    await utimes(pathOf(key), then, then)
    return key
  }
  const kept = async () => {
    const files = await readdir(storage.folder, { recursive: true })
    return new Set(files.map((path) => path.split('/').at(-1)))
  }
  /** A message and an attachment with bytes that are two days old. */
  const message = async (folder: 'OTHERS' | 'TRASH') => {
    const [blobKey, attachmentKey] = [await stored(48), await stored(48)]
    const attachments = [{ position: 0, filename: 'a.pdf', mime: 'application/pdf', size: 5, contentId: null }]
    const one = { ...arrived(box, folder, { attachments }), blobKey }
    await store(engine, box, one)
    const found = await engine.db.read(office(here.customerId)).mailReceivedMessage.findFirstOrThrow({ where: { blobKey } })
    await service.database.rows(`UPDATE mail_attachments SET blob_key = '${attachmentKey}' WHERE message_id = ${found.id}`)
    return { id: found.id, keys: [blobKey, attachmentKey] }
  }

  it('stay as long as their message, and go when it was removed for good', async () => {
    const [present, trashed] = [await message('OTHERS'), await message('TRASH')]
    await tick('sweep')
    const all = [...present.keys, ...trashed.keys]
    let left = await kept()
    expect(all.map((key) => left.has(key))).toEqual([true, true, true, true])
    const removed = await service.asExpert(here.expert).delete(`/mail_received_mysql_message/${trashed.id}`)
    expect(removed.status).toBe(200)
    await tick('sweep')
    left = await kept()
    expect(all.map((key) => left.has(key))).toEqual([true, true, false, false])
  })

  it('of sent messages stay as long as the message', async () => {
    const expert = service.asExpert(here.expert)
    const mail_server_id = await createMailServer(expert, { server_address: 'smtp.office.invalid', server_protocol: 1, server_port: 465 })
    const sent = { mail_server_id, mail_to_address: 'a@x.example', status: 4 }
    const { body } = await expert.post<{ id: number }>('/mail_sent_mysql_message', { MailSentMysqlMessage: sent })
    const key = await stored(48)
    await service.database.rows('UPDATE mail_sent_messages SET blob_key = $2, status = 2 WHERE id = $1', [body.id, key])
    await tick('sweep')
    expect(await kept()).toContain(key)
    for (const _ of ['to TRASH', 'for good']) expect((await expert.delete(`/mail_sent_mysql_message/${body.id}`)).status).toBe(200)
    await tick('sweep')
    expect(await kept()).not.toContain(key)
  })

  it('are removed without a message when they are older than a day', async () => {
    const [old, fresh] = [await stored(25), await stored(23)]
    await tick('sweep')
    const left = await kept()
    expect([left.has(old), left.has(fresh)]).toEqual([false, true])
  })
})

it('a trace is deleted after its retention, and its message stays', async () => {
  const box = await newMailbox(engine, here, here.expert.userId)
  for (const _ of ['old', 'fresh']) await store(engine, box, arrived(box, 'OTHERS'))
  const expert = service.asExpert(here.expert)
  const { body } = await expert.get<{ MailReceivedMysqlMessage: { id: string } }[]>('/mail_received_mysql_message?sort=id')
  const ids = body.map(({ MailReceivedMysqlMessage: { id } }) => id)
  const age = "UPDATE mail_traces SET created = now() - $2 * interval '1 day' WHERE message_id = $1"
  await service.database.rows(age, [ids[0], 31])
  await service.database.rows(age, [ids[1], 29])
  await tick('purge')
  const traces = await Promise.all(ids.map((id) => expert.get<{ MailTrace: object[] }>(`/mail_received_mysql_message/${id}/trace`)))
  expect(traces.map(({ status, body }) => [status, body.MailTrace.length])).toEqual([
    [200, 0],
    [200, 1],
  ])
})
