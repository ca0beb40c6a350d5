import type { TestTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer, newMailServer, shownServer } from '../support/mail-servers.js'

let service: TestService
let office: TestTenant
beforeAll(async () => {
  service = await testService(mail, {
    variables: { MAIL_ROLES: 'http', OUTBOUND_PRIVATE_HOSTS: 'mail.private.example,one.private.example:1143' },
  })
})
afterAll(() => service.stop())
beforeEach(() => {
  office = service.office()
})

const expert = () => service.asExpert(office.expert)

describe('POST /rest/mail_server', () => {
  it.each([
    [{ server_port: 993, server_encryption: undefined }, { server_encryption: '2' }],
    [{ server_port: 143, server_encryption: undefined }, { server_encryption: '1' }],
    [{ server_address: 'IMAP.Żółw.example' }, { server_address: 'imap.xn--w-uga1v8h.example' }],
    [{ user_email: 'ada@żółw.example' }, { user_email: 'ada@xn--w-uga1v8h.example' }],
    [{ reply_to: 'office@żółw.example' }, { reply_to: 'office@xn--w-uga1v8h.example' }],
    [{ server_address: '192.0.2.7' }, { server_address: '192.0.2.7' }],
    [{ server_address: 'mail.private.example', server_port: 20993 }, { server_port: '20993' }],
    [{ server_address: 'one.private.example', server_port: 1143 }, { server_port: '1143' }],
    [
      { server_protocol: '1', server_port: '587' },
      { server_protocol: '1', server_port: '587' },
    ],
    [
      { server_protocol: '3', server_port: '110' },
      { server_protocol: '3', server_port: '110' },
    ],
  ])('accepts %j', async (fields, shown) => {
    const id = await createMailServer(expert(), fields)
    expect(await shownServer(expert(), id)).toMatchObject(shown)
  })

  it.each([
    ['no password', { user_password: undefined }, 'user_password'],
    ['the mask for a password', { user_password: '********' }, 'user_password'],
    ['a password with a line break', { user_password: 'a\r\nb' }, 'user_password'],
    ['no login', { user_login: undefined }, 'user_login'],
    ['a login with NUL', { user_login: 'a\0' }, 'user_login'],
    ['a login with a line break', { user_login: 'a\nA1 LOGOUT' }, 'user_login'],
    ['a name with a line break', { user_name: 'a\r\nBcc: b' }, 'user_name'],
    ['no address', { user_email: undefined }, 'user_email'],
    ['an address with a line break', { user_email: 'a@b.example\r\n' }, 'user_email'],
    ['an address to reply to that is none', { reply_to: 'nobody' }, 'reply_to'],
    ['no protocol', { server_protocol: undefined }, 'server_protocol'],
    ['an unknown protocol', { server_protocol: 4 }, 'server_protocol'],
    ['no host', { server_address: undefined }, 'server_address'],
    ['a host with a port', { server_address: 'imap.office.example:25' }, 'server_address'],
    ['a host with a path', { server_address: 'imap.office.example/x' }, 'server_address'],
    ['a host with a space', { server_address: 'imap office' }, 'server_address'],
    ['a host with a line break', { server_address: 'imap.office.example\n' }, 'server_address'],
    ['a port of another protocol', { server_port: 25 }, 'server_port'],
    ['any other port', { server_port: 22 }, 'server_port'],
    ['another port of a host with one named port', { server_address: 'one.private.example', server_port: 1144 }, 'server_port'],
    ['an encryption that does not exist', { server_encryption: 3 }, 'server_encryption'],
    ['a flag that is none', { server_secure: 2 }, 'server_secure'],
    ['a priority that does not exist', { priority: 1 }, 'priority'],
    ['a day that does not exist', { fetch_after_date: '2026-02-30' }, 'fetch_after_date'],
  ])('refuses %s', async (_, fields, wrong) => {
    const { status, body } = await expert().post('/mail_server', { MailServer: { ...newMailServer, ...fields } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [wrong]: expect.any(String) } }])
  })
})

describe('what is wrong with a mailbox', () => {
  const wrong = { user_password: 'is required', server_port: 'must be one of 143, 993' }

  it('is reported for all fields at once', async () => {
    const sent = { ...newMailServer, server_protocol: 2, server_port: 25, user_password: undefined }
    const post = (fields: object, path = '/mail_server') => expert().post(path, { MailServer: { ...sent, ...fields } })
    expect((await post({})).body).toEqual({ status: 'error', errorMessages: wrong })
    expect((await post({ priority: 1 })).body).toEqual({ status: 'error', errorMessages: { ...wrong, priority: expect.any(String) } })
    expect((await post({}, '/mail_server/test')).body).toEqual({ status: 'error', errorMessages: wrong })
  })

  it('is reported for all fields of a change at once, too', async () => {
    const id = await createMailServer(expert())
    const put = async (fields: object) => (await expert().put(`/mail_server/${id}`, { MailServer: { server_port: 25, ...fields } })).body
    expect(await put({})).toEqual({ status: 'error', errorMessages: wrong })
    expect(await put({ priority: 1 })).toEqual({ status: 'error', errorMessages: { ...wrong, priority: expect.any(String) } })
  })
})
