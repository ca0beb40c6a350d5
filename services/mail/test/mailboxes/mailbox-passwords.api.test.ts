import { createSecrets } from '@caseway/kit/secrets'
import type { TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer, rowOf, shownServer } from '../support/mail-servers.js'

let service: TestService
let office: TestTenant
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
})
afterAll(() => service.stop())
beforeEach(() => {
  office = service.office()
})

const done = { status: 'OK' }
const expert = () => service.asExpert(office.expert)

describe('a password', () => {
  it('is shown to the owner, and to nobody else', async () => {
    const id = await createMailServer(expert())
    expect(await shownServer(expert(), id)).toMatchObject({ user_password: 'a secret of Anna' })
    const trainee = service.asExpert(office.trainee)
    expect(await shownServer(trainee, id)).toMatchObject({ user_password: '********' })
    expect((await trainee.get('/mail_server')).text).not.toContain('a secret of Anna')
  })

  it('is sealed for its row, and is nowhere in plain text', async () => {
    const id = await createMailServer(expert())
    const [row] = await service.database.rows<{ text: string; password: Buffer }>(
      'SELECT to_jsonb(mail_servers)::text AS text, password FROM mail_servers WHERE id = $1',
      [id],
    )
    for (const form of ['utf8', 'hex', 'base64'] as const) expect(row?.text).not.toContain(Buffer.from('a secret of Anna').toString(form))
    expect(row?.password.includes('a secret of Anna')).toBe(false)
    const events = await service.database.rows<{ text: string }>('SELECT to_jsonb(outbox)::text AS text FROM kit.outbox')
    expect(events.map(({ text }) => text).join()).not.toContain('a secret of Anna')
  })

  it.each(['********', undefined])('stays when %j is sent', async (user_password) => {
    const id = await createMailServer(expert())
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'B', user_password } })).body).toEqual(done)
    expect(await shownServer(expert(), id)).toMatchObject({ user_name: 'B', user_password: 'a secret of Anna' })
  })

  it('is not removed by null, even with another server', async () => {
    const id = await createMailServer(expert())
    const before = await rowOf(service, id)
    for (const elsewhere of [{}, { server_port: 143 }]) {
      const { status, body } = await expert().put(`/mail_server/${id}`, { MailServer: { ...elsewhere, user_password: null } })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { user_password: 'is required' } }])
    }
    expect(await rowOf(service, id)).toEqual(before)
  })

  it('changes when another is sent', async () => {
    const id = await createMailServer(expert())
    await expert().put(`/mail_server/${id}`, { MailServer: { user_password: 'another' } })
    expect(await shownServer(expert(), id)).toMatchObject({ user_password: 'another' })
  })

  it.each([
    { server_address: 'imap.elsewhere.example' },
    { server_port: 143 },
    { server_encryption: 0 },
    { server_protocol: 1, server_port: 465 },
  ])('is required again with %j', async (fields) => {
    const id = await createMailServer(expert())
    const before = await rowOf(service, id)
    for (const kept of [{}, { user_password: '********' }]) {
      const { status, body } = await expert().put(`/mail_server/${id}`, { MailServer: { ...fields, ...kept } })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { user_password: 'is required' } }])
    }
    expect(await rowOf(service, id)).toEqual(before)
    expect((await expert().put(`/mail_server/${id}`, { MailServer: { ...fields, user_password: 'again' } })).status).toBe(200)
  })
})

it('MASK_MAIL_PASSWORDS shows a password to nobody', async () => {
  const masked = await testService(mail, { variables: { MAIL_ROLES: 'http', MASK_MAIL_PASSWORDS: 'true' } })
  try {
    const http = masked.asExpert(masked.office().expert)
    const id = await createMailServer(http)
    expect((await http.get(`/mail_server/${id}`)).body).toMatchObject({ MailServer: { user_password: '********' } })
  } finally {
    await masked.stop()
  }
})

it('the service starts with the secret that has encrypted the passwords, and with no other one', async () => {
  await createMailServer(expert())
  const other = Buffer.alloc(32, 3).toString('base64')
  const refused = 'MAIL_SECRET is not the secret that sealed the mail-servers of this database.'
  await expect(service.copy({ MAIL_SECRET: other })).rejects.toThrow(refused)
})

it('the command line encrypts passwords anew, each for its own mailbox', async () => {
  const [former, next] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  const rotating = await testService(mail, { variables: { MAIL_ROLES: 'http', MAIL_SECRET: next, MAIL_SECRET_PREVIOUS: former } })
  try {
    const here = rotating.office()
    const http = rotating.asExpert(here.expert)
    const id = await createMailServer(http)
    expect(await rotating.service.administration.reseal()).toBe(0)
    const sealed = createSecrets('mail', { secret: former, secretPrevious: [] }).sealer('mail-servers')
    const set = 'UPDATE mail_servers SET password = $2 WHERE id = $1'
    await rotating.database.rows(set, [id, sealed.seal(Buffer.from('of the former secret'), `mail_server ${id}`)])
    expect(await rotating.service.administration.reseal()).toBe(1)
    expect((await http.get(`/mail_server/${id}`)).body).toMatchObject({ MailServer: { user_password: 'of the former secret' } })
    expect(await rotating.service.administration.reseal()).toBe(0)
    await rotating.database.rows(set, [id, sealed.seal(Buffer.from('of another row'), 'mail_server 0')])
    await expect(rotating.service.administration.reseal()).rejects.toThrow()
  } finally {
    await rotating.stop()
  }
})
