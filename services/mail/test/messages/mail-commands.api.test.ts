import { expertUrl, invalidFields, randomId, type TestTenant, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'

let service: TestService
let office: TestTenant
let http: ReturnType<TestService['asExpert']>
let mailbox: number
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
})
afterAll(() => service.stop())

const rightOf = { CLIENTS: 'clients', OFFICES: 'offices', PROVIDERS: 'providers', LEADS: 'leads' } as const
const allRights = [...Object.values(rightOf).map((folder) => `mailbox.crm_folders.${folder}`), 'mailbox.personal_mailbox']

const enter = async (tenant: TestTenant) => {
  office = tenant
  service.auth.rights.set(office.expert.userId, allRights)
  http = service.asExpert(office.expert)
  mailbox = await createMailServer(http)
}
beforeEach(() => enter(service.office()))

const give = (fields: object, by = http) =>
  by.post<{ id: number }>('/mail_command', { MailCommand: { mail_server_id: mailbox, ...fields } })
const backfill = (fields: object = {}, by = http) =>
  give({ command_id: 4, folder_name: 'CLIENTS', fetch_after_date: '2026-01-15', ...fields }, by)
const one = async (id: number) => (await http.get<{ MailCommand: Record<string, unknown> }>(`/mail_command/${id}`)).body.MailCommand
const notFound = { status: 'error', errorMessages: 'Not found.', errorCode: 'NOT_FOUND' }
const smtp = { server_protocol: 1, server_port: 465 }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

describe('commands 2 and 3', () => {
  it.each([
    [2, 'IMAP', {}],
    [2, 'POP3', { server_protocol: 3, server_port: 995 }],
    [3, 'SMTP', smtp],
  ])('%i is accepted for %s', async (command_id, _, fields) => {
    const mail_server_id = await createMailServer(http, fields)
    const { status, headers, body } = await give({ command_id, mail_server_id })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    expect(headers.get('location')).toBe(`${expertUrl}/rest/mail_command/${body.id}`)
    expect(await one(body.id)).toEqual({
      ...{ id: body.id, customer_id: Number(office.customerId), user_id: Number(office.expert.userId), command_id, mail_server_id },
      ...{ folder_name: null, fetch_after_date: null, dry_run: 0, status: 'done', tasks_total: 0, tasks_done: 0 },
      ...{ stored: 0, duplicates: 0, discarded: 0, errors: 0, counts: null, waits_until: null, ended: time, created: time, modified: time },
    })
  })

  it.each([
    [2, smtp, 'cannot receive'],
    [3, {}, 'cannot send'],
    [3, { server_protocol: 3, server_port: 110 }, 'cannot send'],
  ])('%i of a server that speaks another protocol is refused (%#)', async (command_id, fields, text) => {
    const mail_server_id = await createMailServer(http, fields)
    expect(await give({ command_id, mail_server_id })).toMatchObject(invalidFields({ mail_server_id: text }))
  })

  it.each([
    [{ command_id: undefined }, ['command_id']],
    [{ command_id: 1 }, ['command_id']],
    [{ command_id: 5 }, ['command_id']],
    [{ command_id: 2, mail_server_id: undefined }, ['mail_server_id']],
    [{ command_id: 'x', mail_server_id: 'x' }, ['command_id', 'mail_server_id']],
  ])('%j is refused', async (fields, wrong) => {
    const { status, body } = await give(fields)
    expect([status, body]).toEqual([
      400,
      { status: 'error', errorMessages: Object.fromEntries(wrong.map((field) => [field, expect.any(String)])) },
    ])
  })

  it('ignore the fields of a backfill', async () => {
    expect((await give({ command_id: 2, folder_name: 'X', fetch_after_date: 7 })).status).toBe(201)
  })
})

describe('command 4', () => {
  it('is accepted with its months, beginning with the present one', async () => {
    await enter(await service.officeIn('UTC'))
    const now = new Date()
    const { status, body } = await backfill({ fetch_after_date: '2026-01-31' })
    expect([status, body]).toEqual([201, { id: expect.any(Number) }])
    const months = (now.getUTCFullYear() - 2026) * 12 + now.getUTCMonth() + 1
    expect(await one(body.id)).toMatchObject({
      ...{ command_id: 4, folder_name: 'CLIENTS', fetch_after_date: '2026-01-31', status: 'in_progress', ended: null, dry_run: 0 },
      tasks_total: months,
    })
    const [row] = await service.database.rows('SELECT next_month::text AS month FROM mail_commands WHERE id = $1', [body.id])
    expect(row).toEqual({ month: `${now.toISOString().slice(0, 7)}-01` })
  })

  it('only counts with dry_run', async () => {
    const { body } = await backfill({ dry_run: 1 })
    expect(await one(body.id)).toMatchObject({ dry_run: 1 })
  })

  it('accepts a range of two thousand years', async () => {
    const { body } = await backfill({ fetch_after_date: '0001-01-01' })
    expect(await one(body.id)).toMatchObject({ fetch_after_date: '0001-01-01', tasks_total: expect.any(Number) })
    expect(Number((await one(body.id)).tasks_total)).toBeGreaterThan(24_000)
  })

  it('is refused with the texts of the specification', async () => {
    expect(await backfill({ folder_name: 'SENT' })).toMatchObject(invalidFields({ folder_name: 'Folder not allowed.' }))
    expect(await backfill({ folder_name: undefined })).toMatchObject(invalidFields({ folder_name: 'Folder not allowed.' }))
    expect(await backfill({ fetch_after_date: '15.01.2026' })).toMatchObject(invalidFields({ fetch_after_date: 'Invalid date format.' }))
    expect(await backfill({ fetch_after_date: undefined })).toMatchObject(invalidFields({ fetch_after_date: 'Invalid date format.' }))
    expect(await backfill({ fetch_after_date: '9999-12-31' })).toMatchObject(
      invalidFields({ fetch_after_date: 'Date cannot be in the future.' }),
    )
    expect(await backfill({ folder_name: 'X', fetch_after_date: 'X' })).toMatchObject(
      invalidFields({ folder_name: 'Folder not allowed.', fetch_after_date: 'Invalid date format.' }),
    )
  })

  it('names every wrong field, of itself and of its range', async () => {
    const texts = { folder_name: 'Folder not allowed.', fetch_after_date: 'Invalid date format.' }
    const fields = { folder_name: 'X', fetch_after_date: 'y' }
    expect(await backfill({ ...fields, mail_server_id: 'x' })).toMatchObject(
      invalidFields({ ...texts, mail_server_id: expect.any(String) }),
    )
    expect(await backfill({ ...fields, dry_run: 'x' })).toMatchObject(invalidFields({ ...texts, dry_run: expect.any(String) }))
    const { body } = await give({ command_id: 2, ...fields, mail_server_id: 'x' })
    expect(body).toEqual({ status: 'error', errorMessages: { mail_server_id: expect.any(String) } })
  })

  it('of a server that sends is refused', async () => {
    const mail_server_id = await createMailServer(http, smtp)
    expect(await backfill({ mail_server_id })).toMatchObject(invalidFields({ mail_server_id: 'cannot receive' }))
  })

  it.each(['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS', 'OTHERS'] as const)(
    'of %s requires the right of the folder',
    async (folder_name) => {
      const right = folder_name === 'OTHERS' ? 'mailbox.personal_mailbox' : `mailbox.crm_folders.${rightOf[folder_name]}`
      service.auth.rights.set(
        office.specialist.userId,
        allRights.filter((one) => one !== right),
      )
      service.auth.rights.set(office.trainee.userId, [right])
      const statusOf = async (role: 'specialist' | 'trainee') => {
        const by = service.asExpert(office[role])
        return (await backfill({ folder_name, mail_server_id: await createMailServer(by) }, by)).status
      }
      expect([await statusOf('specialist'), await statusOf('trainee')]).toEqual([403, 201])
    },
  )

  it('answers 400 before 404, 404 before 403, and 403 before 409', async () => {
    const without = service.asExpert(office.trainee)
    const unknown = { mail_server_id: String(randomId()) }
    expect((await backfill({ ...unknown, folder_name: 'X' }, without)).status).toBe(400)
    const { status, body } = await backfill(unknown, without)
    expect([status, body]).toEqual([404, notFound])
    const own = { mail_server_id: await createMailServer(without) }
    await service.database.rows(
      `INSERT INTO mail_commands (customer_id, user_id, command_id, mail_server_id, folder_name) VALUES ($1, $2, 4, $3, 'CLIENTS')`,
      [office.customerId, office.trainee.userId, own.mail_server_id],
    )
    expect((await backfill(own, without)).status).toBe(403)
  })

  it('that cannot be enqueued is refused, and leaves no row', async () => {
    const { rows } = service.database
    await rows(`ALTER TABLE kit.job ADD CONSTRAINT no_backfill CHECK (name <> 'mail-backfill') NOT VALID`)
    try {
      const { status, body } = await backfill()
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { backfill: 'Could not enqueue backfill request.' } }])
    } finally {
      await rows('ALTER TABLE kit.job DROP CONSTRAINT no_backfill')
    }
    expect((await http.get('/mail_command')).body).toEqual([])
    expect((await backfill()).status).toBe(201)
  })

  it('is accepted once of 50 at the same time, and the others are 409', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => backfill()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.flatMap(({ status, body }) => (status === 201 ? [] : [[status, body]]))).toEqual(
      Array(49).fill([
        409,
        {
          status: 'error',
          errorMessages: 'A backfill for this mailbox and folder is already in progress.',
          errorCode: 'BACKFILL_IN_PROGRESS',
        },
      ]),
    )
    expect((await backfill({ folder_name: 'LEADS' })).status).toBe(201)
    expect((await backfill({ mail_server_id: await createMailServer(http) })).status).toBe(201)
  })
})

describe('DELETE /rest/mail_command/{id}', () => {
  it('cancels a backfill, so that another may begin', async () => {
    const { body } = await backfill()
    expect((await http.delete(`/mail_command/${body.id}`)).body).toEqual({ status: 'OK' })
    expect(await one(body.id)).toMatchObject({ status: 'cancelled', ended: time })
    expect((await backfill()).status).toBe(201)
  })

  it('of a command that has ended is a conflict', async () => {
    const { body } = await give({ command_id: 2 })
    const { status, body: refused } = await http.delete(`/mail_command/${body.id}`)
    expect([status, refused]).toMatchObject([409, { errorCode: 'COMMAND_ENDED' }])
  })
})

describe('who may', () => {
  it('give commands: everybody of the office, by the right of the folder, and nobody without a token', async () => {
    service.auth.rights.set(office.specialist.userId, allRights)
    const colleague = service.asExpert(office.specialist)
    expect((await give({ command_id: 2 }, colleague)).status).toBe(201)
    service.auth.rights.set(office.trainee.userId, ['mailbox.personal_mailbox'])
    expect((await backfill({}, service.asExpert(office.trainee))).status).toBe(403)
    expect((await backfill({}, colleague)).status).toBe(201)
    expect((await backfill({}, service.asExpert(testTechnical(service.issuer)))).status).toBe(403)
    expect((await backfill({}, http.as(undefined))).status).toBe(401)
    const stranger = service.asExpert(service.office().expert)
    for (const command_id of [2, 3, 4]) {
      const { status, body } = await backfill({ command_id }, stranger)
      expect([status, body]).toEqual([404, notFound])
    }
    expect(await service.database.rows('SELECT FROM mail_commands WHERE mail_server_id = $1', [mailbox])).toHaveLength(2)
  })
})
