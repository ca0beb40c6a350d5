import { diskBlobStore } from '@caseway/kit/blobs'
import type { TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mailFolders } from '../support/mail-folders.js'
import { arrived, newMailbox, officeWithMail, store, storeOne } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'
import { mailFolder } from '../support/storage.js'

const storage = await mailFolder()
const { service, engine, stop } = await serviceWithEngine({ MAIL_FOLDER: storage.folder })
afterAll(async () => {
  await stop()
  await storage.remove()
})

let here: TestTenant
beforeEach(() => {
  here = officeWithMail(service)
})

const { expert, create, list } = mailFolders(service, () => here)

describe('POST /rest/mail_folder_rule', () => {
  const conditions = [{ field: 'from', operator: 'ends_with', value: '@shop.example' }]
  const send = (fields: object, http = expert()) =>
    http.post<{ id: number }>('/mail_folder_rule', { MailFolderRule: { name: 'A rule', conditions, ...fields } })

  it('names every wrong field', async () => {
    const wrong = { name: expect.any(String), mail_folder_id: 'does not exist' }
    const [foreign] = await list('', service.asExpert(officeWithMail(service).expert))
    for (const mail_folder_id of [foreign?.id, '987654321'])
      expect((await send({ name: '', mail_folder_id })).body).toEqual({ status: 'error', errorMessages: wrong })
  })

  it('creates, changes and deletes a rule of the caller alone', async () => {
    const folder = await create({})
    const { status, body } = await send({ mail_folder_id: folder })
    expect(status).toBe(201)
    const path = `/mail_folder_rule/${body.id}`
    const shown = { mail_folder_id: String(folder), conditions, position: '0', active: '1', user_id: String(here.expert.userId) }
    expect((await expert().get(path)).body).toMatchObject({ MailFolderRule: shown })
    expect((await expert().put(path, { MailFolderRule: { active: '0', user_id: 7 } })).status).toBe(200)
    expect((await expert().get(path)).body).toMatchObject({ MailFolderRule: { ...shown, active: '0' } })
    for (const http of [service.asExpert(here.specialist), service.asExpert(officeWithMail(service).expert)]) {
      expect((await http.get(path)).status).toBe(404)
      expect((await http.put(path, { MailFolderRule: { name: 'x' } })).status).toBe(404)
      expect((await http.delete(path)).status).toBe(404)
      expect((await http.post(`${path}/test`)).status).toBe(404)
    }
    expect((await expert().delete(path)).status).toBe(200)
    expect((await expert().get(path)).status).toBe(404)
  })

  it('accepts only a custom folder that the caller sees', async () => {
    const [clients] = await list()
    const theirs = await create({}, service.asExpert(here.specialist))
    for (const mail_folder_id of [clients?.id, theirs, 999_999_999]) {
      const { status, body } = await send({ mail_folder_id })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { mail_folder_id: 'does not exist' } }])
    }
    expect((await send({ mail_folder_id: await create({ is_global: '1' }) })).status).toBe(201)
  })

  it.each([
    [[]],
    [[{ field: 'body', operator: 'contains', value: 'x' }]],
    [[{ field: 'from', operator: 'matches', value: 'x' }]],
    [[{ field: 'from', operator: 'contains', value: '' }]],
    [[{ field: 'from', operator: 'contains', value: ' \t\u00a0' }]],
    [[{ field: 'from', operator: 'contains' }]],
    [[{ field: 'header', operator: 'contains', value: 'x' }]],
    [[{ field: 'from', header: 'X-A', operator: 'contains', value: 'x' }]],
    [[{ field: 'header', header: 'X A', operator: 'contains', value: 'x' }]],
    [[{ field: 'from', operator: 'contains', value: 'x', more: 1 }]],
  ])('refuses the conditions %j', async (wrong) => {
    const { status, body } = await send({ mail_folder_id: await create({}), conditions: wrong })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { conditions: expect.stringMatching(/^must/) } }])
  })

  it('tests which of the last messages of the caller it would sort', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const theirs = await newMailbox(engine, here, here.trainee.userId)
    const from = { address: 'Sales@Shop.example', name: 'Sales' }
    const hit = await storeOne(engine, box, 'OTHERS', { from })
    await storeOne(engine, box, 'OTHERS', {})
    const sent = arrived(box, 'SENT', { from, specialUse: 'sent' })
    const reason = { by: 'remote', special_use: 'sent', folder: 'SENT' } as const
    await store(engine, box, { ...sent, decision: { ...sent.decision, reason } })
    await storeOne(engine, theirs, 'OTHERS', { from })
    const { body } = await send({ mail_folder_id: await create({}) })
    const tested = await expert().post(`/mail_folder_rule/${body.id}/test`)
    expect([tested.status, tested.body]).toEqual([200, { MailFolderRuleTest: { matched: 1, messages: [String(hit)] } }])
  })

  it('tests any header as it was sent', async () => {
    const box = await newMailbox(engine, here, here.expert.userId)
    const stored = async (bytes: string | null) => {
      const id = await storeOne(engine, box, 'OTHERS', {})
      const [row] = await service.database.rows<{ blob_key: string }>('SELECT blob_key FROM mail_received_messages WHERE id = $1', [id])
      if (bytes !== null) await diskBlobStore(storage.folder).put(row?.blob_key ?? '', Buffer.from(bytes))
      return String(id)
    }
    const long = `X-Long: ${'x'.repeat(100_000)}`
    const hits = [
      await stored('Subject: News\r\nList-ID: Weekly\r\n news <news.shop.example>\r\n\r\nHello\r\n'),
      await stored(`Subject: News\n${long}\nlist-id: <news.shop.example>\n\nHello\n`),
      await stored('List-Id: <news.shop.example>'),
    ]
    await stored('Subject: News\r\n\r\nList-Id: <news.shop.example>\r\n')
    await stored('Subject: <news.shop.example>\n\nHello\n')
    await stored(null)
    const condition = { field: 'header', header: 'List-Id', operator: 'ends_with', value: '<NEWS.shop.example>' }
    const { body } = await send({ mail_folder_id: await create({}), conditions: [condition] })
    const tested = await expert().post<{ MailFolderRuleTest: { messages: string[] } }>(`/mail_folder_rule/${body.id}/test`)
    expect(tested.body.MailFolderRuleTest.messages.toSorted()).toEqual(hits.toSorted())
  })
})
