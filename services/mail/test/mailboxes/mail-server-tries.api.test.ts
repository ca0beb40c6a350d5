import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '@caseway/install/certificates/authority.mjs'
import { randomId, type TestTenant, testTechnical } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import { credulous } from '../support/scripted-server.js'
import { testServers } from '../support/test-servers.js'

const password = 'a secret of Anna'
const host = '127.0.0.1'

let folder: string
let service: TestService
let office: TestTenant
let certified: { cert: string; key: string }
let misnamed: { cert: string; key: string }
let untrusted: { cert: string; key: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mail-'))
  const [authority, stranger] = [await createAuthority(), await createAuthority()]
  const issued = (by: typeof authority, name: string) => by.issue([name]).then(({ certificate: cert, key }) => ({ cert, key }))
  certified = await issued(authority, host)
  misnamed = await issued(authority, 'mail.other.example')
  untrusted = await issued(stranger, host)
  await writeFile(join(folder, 'ca.pem'), authority.certificate)
  const variables = { MAIL_ROLES: 'http', OUTBOUND_PRIVATE_HOSTS: host, MAIL_CA_FILE: join(folder, 'ca.pem') }
  service = await testService(mail, { variables })
  office = service.office()
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const { serving, kept } = testServers()

/** A real SMTP server with one account. */
async function smtp(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({
    ...{ logger: false, authMethods: ['PLAIN', 'LOGIN'], ...certified },
    onAuth: (auth, _, done) =>
      auth.username === 'anna' && auth.password === password ? done(null, { user: 'anna' }) : done(new Error('No.')),
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, host, done))
  kept({ stop: () => new Promise((done) => server.close(() => done(undefined))) })
  return (server.server.address() as { port: number }).port
}

const protocols = [
  [1, 'SMTP'],
  [2, 'IMAP'],
  [3, 'POP3'],
] as const

const bodyOf = (fields: object) => ({
  MailServer: { user_login: 'anna', user_password: password, server_address: host, server_encryption: 0, ...fields },
})
const tried = async (fields: object) => {
  const { status, body } = await service.asExpert(office.expert).post('/mail_server/test', bodyOf(fields))
  expect(status).toBe(200)
  return (body as { MailServerTest: { ok: boolean; failed: string | null } }).MailServerTest
}
const failing = (failed: string) => ({ ok: false, failed })
const works = { ok: true, failed: null }

/** Checks for the password in every encoding that a protocol uses. */
function expectNoPassword(received: string) {
  const forms = [password, Buffer.from(password).toString('base64'), Buffer.from(`\0anna\0${password}`).toString('base64')]
  for (const form of forms) expect(received).not.toContain(form)
}

describe('a try over SMTP', () => {
  it.each([
    ['plain', 0, { disabledCommands: ['STARTTLS'] }],
    ['by STARTTLS', 1, {}],
    ['by TLS', 2, { secure: true }],
  ] as const)('signs in %s', async (_, server_encryption, options) => {
    const server_port = await smtp({ ...options, disabledCommands: [...('disabledCommands' in options ? options.disabledCommands : [])] })
    expect(await tried({ server_protocol: 1, server_port, server_encryption })).toEqual(works)
  })

  it('says that the login was refused', async () => {
    const server_port = await smtp({})
    expect(await tried({ server_protocol: 1, server_port, server_encryption: 1, user_password: 'another' })).toEqual(failing('auth'))
  })

  it('reports that the server cannot check the login now', async () => {
    const { port } = await serving({
      greeting: '220 hello\r\n',
      answer: (line) => (/^EHLO/.test(line) ? '250-hello\r\n250 AUTH PLAIN\r\n' : '454 4.7.0 later\r\n'),
    })
    expect(await tried({ server_protocol: 1, server_port: port })).toEqual(failing('protocol'))
  })
})

describe.each(protocols)('a try over protocol %i (%s)', (server_protocol, _name) => {
  const script = credulous[server_protocol] ?? {}

  it('works in plain text where no encryption is requested', async () => {
    const { port } = await serving(script)
    expect(await tried({ server_protocol, server_port: port })).toEqual(works)
  })

  it('fails by STARTTLS that is not offered, and sends no password', async () => {
    const { port, received } = await serving(script)
    expect(await tried({ server_protocol, server_port: port, server_encryption: 1 })).toEqual(failing('tls'))
    expectNoPassword(received())
  })

  it('fails by TLS that is not there, and sends no password', async () => {
    const { port, received } = await serving(script)
    expect(await tried({ server_protocol, server_port: port, server_encryption: 2 })).toEqual(failing('tls'))
    expectNoPassword(received())
  })

  it.each(['untrusted', 'misnamed'] as const)('fails by a certificate that is %s, and sends no password', async (which) => {
    const { port, received } = await serving({ ...script, tls: which === 'untrusted' ? untrusted : misnamed })
    expect(await tried({ server_protocol, server_port: port, server_encryption: 2 })).toEqual(failing('tls'))
    expectNoPassword(received())
  })

  it('works with a certificate of an authority that MAIL_CA_FILE names', async () => {
    const { port } = await serving({ ...script, tls: certified })
    expect(await tried({ server_protocol, server_port: port, server_encryption: 2 })).toEqual(works)
  })

  it('fails by a greeting that never comes, in time', async () => {
    const { port, received } = await serving({})
    const began = performance.now()
    expect(await tried({ server_protocol, server_port: port })).toEqual(failing('protocol'))
    expect(performance.now() - began).toBeLessThan(5000)
    expectNoPassword(received())
  })

  it('fails by an answer of another protocol, and sends no password', async () => {
    const { port, received } = await serving({ greeting: 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', answer: () => null })
    expect(await tried({ server_protocol, server_port: port })).toEqual(failing('protocol'))
    expectNoPassword(received())
  })

  it('fails by a port that nobody listens on', async () => {
    const { port, stop } = await serving({})
    await stop()
    expect(await tried({ server_protocol, server_port: port })).toEqual(failing('connect'))
  })

  it.each(['nobody.invalid', 'localhost', '10.0.0.1', '::1', '169.254.169.254'])(
    'fails by the host %s, with one word',
    async (server_address) => {
      const ports = { 1: 465, 2: 993, 3: 995 }
      expect(await tried({ server_protocol, server_address, server_port: ports[server_protocol] })).toEqual(failing('dns'))
    },
  )
})

describe('a try over IMAP', () => {
  const imap = credulous[2] ?? {}

  it('fails by a server that is signed in before anything was encrypted', async () => {
    const { port, received } = await serving({ ...imap, greeting: '* PREAUTH [CAPABILITY IMAP4rev1 STARTTLS] welcome\r\n' })
    expect(await tried({ server_protocol: 2, server_port: port, server_encryption: 1 })).toEqual(failing('tls'))
    expectNoPassword(received())
  })

  it.each([
    ['NO [AUTHENTICATIONFAILED] no', 'auth'],
    ['NO [UNAVAILABLE] later', 'protocol'],
    ['NO [ALERT] Too many simultaneous connections. (Failure)', 'protocol'],
    ['NO [ALERT] Application-specific password required', 'auth'],
  ])('tells what %s means', async (answer, failed) => {
    const { port } = await serving({
      greeting: imap.greeting ?? '',
      answer: (line) => (/ LOGIN /i.test(line) ? `${line.split(' ')[0]} ${answer}\r\n` : imap.answer?.(line)),
    })
    expect(await tried({ server_protocol: 2, server_port: port })).toEqual(failing(failed))
  })
})

describe('a try over POP3', () => {
  it.each([
    ['-ERR [AUTH] no', 'auth'],
    ['-ERR no', 'auth'],
    ['-ERR [SYS/TEMP] later', 'protocol'],
    ['-ERR [IN-USE] somebody else', 'protocol'],
  ])('tells what %s means', async (answer, failed) => {
    const { port } = await serving({ greeting: '+OK\r\n', answer: (line) => (line.startsWith('PASS') ? `${answer}\r\n` : '+OK\r\n') })
    expect(await tried({ server_protocol: 3, server_port: port })).toEqual(failing(failed))
  })

  it('fails where something is said before the encryption begins', async () => {
    const { port, received } = await serving({
      greeting: '+OK\r\n',
      answer: (line) => (line === 'STLS' ? '+OK\r\n+OK too early\r\n' : '+OK\r\n'),
    })
    expect(await tried({ server_protocol: 3, server_port: port, server_encryption: 1 })).toEqual(failing('tls'))
    // Not even the encryption begins.
    expect(received()).toBe('STLS\r\n')
  })
})

describe('POST /rest/mail_server/test', () => {
  it('refuses what POST /rest/mail_server refuses', async () => {
    const post = async (fields: object) => (await service.asExpert(office.expert).post('/mail_server/test', bodyOf(fields))).body
    const refused = (...fields: string[]) => ({
      status: 'error',
      errorMessages: Object.fromEntries(fields.map((field) => [field, expect.any(String)])),
    })
    expect(await post({})).toEqual(refused('server_protocol', 'server_port'))
    const imap = { server_protocol: 2, server_port: 993 }
    expect(await post({ ...imap, user_password: '********' })).toEqual(refused('user_password'))
    expect(await post({ ...imap, user_login: 'a\r\nb' })).toEqual(refused('user_login'))
    expect(await post({ ...imap, server_address: 'imap.office.example', server_port: 22 })).toEqual(refused('server_port'))
  })
})

describe('POST /rest/mail_server/{id}/test', () => {
  it('uses the stored password', async () => {
    const { port, received } = await serving(credulous[3] ?? {})
    const http = service.asExpert(office.expert)
    const id = await createMailServer(http, { server_protocol: 3, server_address: host, server_port: port, server_encryption: 0 })
    const { status, body } = await http.post(`/mail_server/${id}/test`)
    expect([status, body]).toEqual([200, { MailServerTest: works }])
    expect(received()).toContain(`PASS ${password}\r\n`)
  })
})

describe('who may', () => {
  it.each(['/mail_server/test', '/mail_server/:id/test'])('POST %s: nobody without a mailbox', async (path) => {
    const id = await createMailServer(service.asExpert(office.expert))
    const sent = bodyOf({ server_protocol: 2, server_port: 993, server_address: '10.0.0.1' })
    const statusOf = async (http: ReturnType<TestService['asExpert']>, own: unknown = id) =>
      (await http.post(path.replace(':id', String(own)), sent)).status
    expect(await statusOf(service.asExpert(office.administrator))).toBe(403)
    expect(await statusOf(service.asExpert(testTechnical(service.issuer)))).toBe(403)
    expect(await statusOf(service.asExpert(office.expert).as(undefined))).toBe(401)
    if (!path.includes(':id')) return
    expect(await statusOf(service.asExpert(office.trainee))).toBe(403)
    const stranger = service.asExpert(service.office().expert)
    expect([await statusOf(stranger), await statusOf(stranger, randomId())]).toEqual([404, 404])
  })
})
