import type { HttpClient, TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mailFolders } from '../support/mail-folders.js'
import { createMailServer } from '../support/mail-servers.js'
import { newMailbox, officeWithMail, storeOne } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'
import { inState, path, smtp, writtenMessages } from '../support/written-messages.js'

const { service, engine, stop } = await serviceWithFiles()
afterAll(stop)

let here: TestTenant
let http: HttpClient
let mailbox: number
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  mailbox = await createMailServer(http, smtp)
})

const { made, set } = writtenMessages(service, () => ({ http, mailbox }))
const folders = mailFolders(service, () => here)

type Shown = Record<string, Record<string, unknown>>

async function shown(at: string): Promise<Shown> {
  const { body } = await http.get<Shown>(at)
  for (const record of Object.values(body)) delete record.modified
  return body
}

/** Sends a record back as it is shown, which must change nothing but its time of change. */
async function sendBack(at: string) {
  const before = await shown(at)
  expect(await http.put(at, before)).toMatchObject({ status: 200, body: { status: 'OK' } })
  expect(await shown(at)).toEqual(before)
}

async function create(resource: string, wrapper: string, fields: object) {
  const { status, body, text } = await http.post<{ id: number }>(`/${resource}`, { [wrapper]: fields })
  if (status !== 201) throw new Error(`The record was refused: ${status} ${text}`)
  return `/${resource}/${body.id}`
}

describe('PUT of what GET shows changes nothing:', () => {
  it('a mailbox', async () => {
    await sendBack(`/mail_server/${mailbox}`)
    await sendBack(`/mail_server/${await createMailServer(http, { signature: '<p>A & B</p>', fetch_after_date: '2026-01-01' })}`)
  })

  it('folders, and a rule', async () => {
    const outer = await folders.create({})
    for (const fields of [{}, { parent_id: outer }, { is_global: 1 }]) await sendBack(`/mail_folder/${await folders.create(fields)}`)
    const conditions = [{ field: 'header', header: 'List-Id', operator: 'contains', value: 'news' }]
    await sendBack(await create('mail_folder_rule', 'MailFolderRule', { name: 'News', conditions, mail_folder_id: outer }))
  })

  it('a template whose stored HTML is as long as is allowed', async () => {
    // Each & is stored as &amp;.
    const mail_body = `x${'&'.repeat(13_107)}`
    const at = await create('mail_template', 'MailTemplate', { name: 'A template', mail_body })
    expect((await shown(at)).MailTemplate?.mail_body).toHaveLength(65_536)
    await sendBack(at)
  })

  it.each(['CLIENTS', 'OTHERS', 'DRAFTS', 'SENT', 'TRASH'] as const)('a received message in %s', async (folder) => {
    const box = await newMailbox(engine, here, here.expert.userId)
    await sendBack(`/mail_received_mysql_message/${await storeOne(engine, box, folder)}`)
  })

  it('a received message in a custom folder', async () => {
    const at = `/mail_received_mysql_message/${await storeOne(engine, await newMailbox(engine, here, here.expert.userId), 'OTHERS')}`
    await http.put(at, { MailReceivedMysqlMessage: { mail_folder_id: await folders.create({}), tags: ['a'], is_read: 1 } })
    await sendBack(at)
  })

  const past = "send_at = now() - interval '1 hour'"
  it.each([
    ['a draft', {}, ''],
    ['a draft whose send_at is past', {}, past],
    ['a draft whose files are gone', {}, `common_file_ids = '["999"]'`],
    ['a draft that answers a message which is gone', {}, 'reply_to_message_id = 999'],
    ['a draft in a case that is not shown any more', {}, 'issue_id = 999'],
    ['a queued message', { status: 0 }, ''],
    ['a queued message whose send_at is past', { status: 0 }, past],
    ['a scheduled message', { status: 0, send_at: '2099-01-01 00:00:00' }, ''],
    ['a failed message', { status: 0 }, "status = 3, error = '550', attempts = 3"],
  ])('%s', async (_, fields, columns) => {
    const id = await made(fields)
    if (columns) await set(id, columns)
    await sendBack(`${path}/${id}`)
  })

  it('a draft in TRASH', async () => {
    const id = await made({ status: 0 })
    await http.delete(`${path}/${id}`)
    await sendBack(`${path}/${id}`)
  })

  it('a draft whose mailbox was deleted', async () => {
    const id = await made()
    await http.delete(`/mail_server/${mailbox}`)
    await sendBack(`${path}/${id}`)
  })
})

it.each([1, 2])('PUT of what GET shows of a message in the state %i is refused for its state', async (state) => {
  const id = await made({ status: 0 })
  await set(id, `status = ${state}`)
  expect(await http.put(`${path}/${id}`, await shown(`${path}/${id}`))).toMatchObject(inState)
})

it('HTML that would be too long to be sent back after it is sanitised is refused', async () => {
  const html = '&'.repeat(13_108)
  const wrong = 'must be at most 65536 bytes after it is sanitised'
  const template = await http.post('/mail_template', { MailTemplate: { name: 'A template', mail_body: html } })
  expect(template).toMatchObject({ status: 400, body: { errorMessages: { mail_body: wrong } } })
  const signed = await http.put(`/mail_server/${mailbox}`, { MailServer: { signature: html, user_email: 'x' } })
  expect(signed).toMatchObject({ status: 400, body: { errorMessages: { signature: wrong, user_email: expect.any(String) } } })
  const alone = await http.put(`/mail_server/${mailbox}`, { MailServer: { signature: html } })
  expect(alone).toMatchObject({ status: 400, body: { errorMessages: { signature: wrong } } })
})
