import type { TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { officeWithMail } from '../support/mailbox.js'

let service: TestService
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
})
afterAll(() => service.stop())

let here: TestTenant
beforeEach(() => {
  here = officeWithMail(service)
})

const expert = () => service.asExpert(here.expert)

describe('GET and POST /rest/mail_folder_setting', () => {
  interface Setting {
    readonly MailFolderSetting: object
  }
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/)
  const empty = () => ({
    MailFolderSetting: {
      id: expect.any(Number),
      customer_id: Number(here.customerId),
      user_id: Number(here.expert.userId),
      order: '',
      created: time,
      modified: time,
    },
  })
  const stored = () => service.database.rows('SELECT id::integer FROM mail_folder_settings WHERE customer_id = $1', [here.customerId])

  it('is empty until it is set, and then answers the record without its wrapper', async () => {
    const before = await expert().get<{ MailFolderSetting: { id: number } }>('/mail_folder_setting')
    expect(before.body).toEqual(empty())
    const order = '[3, "2",1]'
    const { status, body } = await expert().post('/mail_folder_setting', { MailFolderSetting: { order } })
    const record = { ...empty().MailFolderSetting, id: before.body.MailFolderSetting.id, order }
    expect([status, body]).toEqual([200, record])
    expect((await expert().get('/mail_folder_setting')).body).toEqual({ MailFolderSetting: record })
    const again = await expert().post('/mail_folder_setting', { MailFolderSetting: { order: '[]' } })
    expect(again.body).toEqual({ ...record, order: '[]' })
    expect((await service.asExpert(here.trainee).get<Setting>('/mail_folder_setting')).body.MailFolderSetting).toMatchObject({ order: '' })
  })

  it('is created by the first of several reads at once, and by no list of folders', async () => {
    await expert().get('/mail_folder')
    expect(await stored()).toEqual([])
    const answers = await Promise.all(Array.from({ length: 8 }, () => expert().get<Setting>('/mail_folder_setting')))
    const [row] = await stored()
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ MailFolderSetting: { ...empty().MailFolderSetting, id: row?.id } })),
    )
    expect(await stored()).toEqual([row])
  })

  it('shows times with the offset of the time zone of the office', async () => {
    const there = await service.officeIn('Asia/Kolkata')
    const { body } = await service.asExpert(there.expert).post('/mail_folder_setting', { MailFolderSetting: { order: '[1]' } })
    expect(body).toMatchObject({ created: expect.stringMatching(/\+05:30$/) })
  })

  it('keeps one record however many requests save it at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((i) => expert().post('/mail_folder_setting', { MailFolderSetting: { order: `[${i}]` } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await stored()).toHaveLength(1)
  })

  it('accepts what it shows, before an order is set and after it was removed', async () => {
    const sendBack = async () => {
      const { body } = await expert().get<Setting>('/mail_folder_setting')
      const saved = await expert().post('/mail_folder_setting', body)
      expect([saved.status, saved.body]).toEqual([200, { ...body.MailFolderSetting, ...anew }])
    }
    const anew = { id: expect.any(Number), created: expect.any(String), modified: expect.any(String) }
    await sendBack()
    for (const order of ['[2,1]', '']) {
      await expert().post('/mail_folder_setting', { MailFolderSetting: { order } })
      expect((await expert().get<Setting>('/mail_folder_setting')).body.MailFolderSetting).toMatchObject({ order })
      await sendBack()
    }
    expect((await expert().get('/mail_folder')).status).toBe(200)
  })

  it.each([undefined, null, ' '])('refuses %j as missing', async (order) => {
    const { status, body } = await expert().post('/mail_folder_setting', { MailFolderSetting: { order } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { order: 'is required' } }])
  })

  it.each(['{}', '[0]', '["a"]', '[1,1]', '[1,"1"]', '[[1]]', 'x', '[1.5]'])('refuses %j', async (order) => {
    const { status, body } = await expert().post('/mail_folder_setting', { MailFolderSetting: { order } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { order: expect.any(String) } }])
  })
})

describe('who may', () => {
  it('every employee orders their folders', async () => {
    for (const person of [here.administrator, here.expert, here.specialist, here.trainee]) {
      expect((await service.asExpert(person).post('/mail_folder_setting', { MailFolderSetting: { order: '[1]' } })).status).toBe(200)
    }
  })
})
