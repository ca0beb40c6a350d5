import { type HttpClient, randomId, type TestTenant, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import { mailRights } from '../support/mailbox.js'

let service: TestService
let office: TestTenant
let http: HttpClient
let mailbox: number
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
})
afterAll(() => service.stop())
beforeEach(async () => {
  office = service.office()
  for (const { userId } of [office.expert, office.specialist]) service.auth.rights.set(userId, mailRights)
  http = service.asExpert(office.expert)
  mailbox = await createMailServer(http)
})

const byId = ['GET', 'DELETE'] as const
const backfill = (by = http) => {
  const command = { command_id: 4, mail_server_id: mailbox, folder_name: 'CLIENTS', fetch_after_date: '2026-01-15' }
  return by.post<{ id: number }>('/mail_command', { MailCommand: command })
}

it('a command is seen and cancelled by whoever gave it, and by the owner of the mailbox', async () => {
  const colleague = service.asExpert(office.specialist)
  for (const by of [colleague, http]) {
    const { body } = await backfill(colleague)
    for (const each of [colleague, http]) {
      expect((await each.get<object[]>('/mail_command?status=in_progress')).body).toMatchObject([{ MailCommand: { id: body.id } }])
      expect((await each.get(`/mail_command/${body.id}`)).status).toBe(200)
    }
    expect((await by.delete(`/mail_command/${body.id}`)).body).toEqual({ status: 'OK' })
    const { body: after } = await http.get(`/mail_command/${body.id}`)
    expect(after).toMatchObject({ MailCommand: { status: 'cancelled' } })
  }
})

it('a command is seen and cancelled by nobody else', async () => {
  const { body } = await backfill()
  const others = [office.specialist, office.administrator, service.office().expert].map(service.asExpert)
  for (const other of others) {
    expect((await other.get('/mail_command')).body).toEqual([])
    for (const method of byId) {
      const foreign = await other.request(method, `/mail_command/${body.id}`)
      const unknown = await other.request(method, `/mail_command/${randomId()}`)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
  }
  for (const [method, path] of [
    ...byId.map((method) => [method, `/mail_command/${body.id}`] as const),
    ['GET', '/mail_command'] as const,
  ]) {
    expect((await http.as(undefined).request(method, path)).status).toBe(401)
    expect((await service.asExpert(testTechnical(service.issuer)).request(method, path)).status).toBe(403)
  }
  expect((await http.get<object[]>('/mail_command?status=in_progress')).body).toMatchObject([{ MailCommand: { id: body.id } }])
})

it('commands are filtered by status', async () => {
  await backfill()
  for (const status of ['in_progress', 'done', 'failed', 'cancelled']) {
    expect((await http.get<object[]>(`/mail_command?status=${status}`)).body).toHaveLength(status === 'in_progress' ? 1 : 0)
  }
  const { status, body } = await http.get('/mail_command?status=in-progress')
  expect([status, body]).toEqual([400, { status: 'error', errorMessages: { status: expect.stringContaining('in_progress') } }])
})
