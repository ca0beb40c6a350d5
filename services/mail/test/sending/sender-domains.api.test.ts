import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestIssuer, type TestTenant, testIssuer, testTenant } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { dnsServer } from '../support/dns.js'
import { faultySmtp } from '../support/faulty-smtp.js'
import { createMailServer } from '../support/mail-servers.js'
import { testServers } from '../support/test-servers.js'

const domain = 'news.office.example'
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

let folder: string
let dns: Awaited<ReturnType<typeof dnsServer>>
let issuer: TestIssuer
let service: TestService
let here: TestTenant
let elsewhere: TestTenant
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dkim-'))
  dns = await dnsServer({
    [domain]: ['v=spf1 include:_spf.provider.example -all', 'unrelated'],
    '_dmarc.office.example': ['v=DMARC1; p=reject; sp=quarantine'],
    [`2026._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${publicKey.replaceAll(/-----.*-----|\s/g, '')}`],
    'silent.example': null,
    '_dmarc.silent.example': null,
  })
  issuer = await testIssuer()
  ;[here, elsewhere] = [testTenant(issuer), testTenant(issuer)]
  await writeFile(join(folder, `${here.customerId}.2026._domainkey.${domain}.pem`), privateKey)
  service = await testService(mail, {
    variables: {
      ...{ MAIL_ROLES: 'http', JWKS_URL: issuer.jwksUrl, OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' },
      ...{ MAIL_DNS_SERVERS: dns.address, MAIL_DKIM_FOLDER: folder },
    },
  })
})
afterAll(async () => {
  await service.stop()
  await Promise.all([dns.stop(), issuer.stop()])
  await rm(folder, { recursive: true })
})

const { serving } = testServers()
const smtp = async (...fault: Parameters<typeof faultySmtp>) => ({
  ...{ server_protocol: 1, server_address: '127.0.0.1', server_encryption: 0, server_port: (await serving(faultySmtp(...fault))).port },
})

/** The outcome of a try of a mailbox of an office. */
async function tried(office: TestTenant, fields: object) {
  const MailServer = { user_login: 'anna', user_password: 'a secret of Anna', ...fields }
  const { status, body } = await service.asExpert(office.expert).post<{ MailServerTest: object }>('/mail_server/test', { MailServer })
  expect(status).toBe(200)
  return body.MailServerTest
}
const result = (state: string, text: string) => ({ state, text: expect.stringContaining(text) })

describe('a try of a mailbox that sends', () => {
  it('reports the DNS records of its domain, and what to do', async () => {
    expect(await tried(here, { ...(await smtp()), user_email: `Anna@${domain.toUpperCase()}` })).toEqual({
      ...{ ok: true, failed: null },
      sender: {
        domain,
        spf: result('found', `${domain} has an SPF record.`),
        dmarc: result('quarantine', `The DMARC policy of ${domain} is quarantine`),
        dkim: result('signed', `Messages from ${domain} are signed`),
      },
    })
  })

  it('uses the keys of its own office alone', async () => {
    const sender = { domain, dkim: result('server', 'should sign them') }
    expect(await tried(elsewhere, { ...(await smtp()), user_email: `anna@${domain}` })).toMatchObject({ ok: true, sender })
  })

  it('uses the login as the address where it is one', async () => {
    const sender = { domain: 'nothing.example', spf: { state: 'missing' }, dmarc: { state: 'missing' } }
    expect(await tried(here, { ...(await smtp()), user_login: 'anna@nothing.example' })).toMatchObject({ ok: true, sender })
    expect(await tried(here, await smtp())).toEqual({ ok: true, failed: null })
  })

  it('works while the DNS does not answer', async () => {
    const sender = { domain: 'silent.example', spf: { state: 'unknown' }, dmarc: { state: 'unknown' } }
    expect(await tried(here, { ...(await smtp()), user_email: 'anna@silent.example' })).toMatchObject({ ok: true, sender })
  })

  it('reports no DNS records where it has failed', async () => {
    expect(await tried(here, { ...(await smtp('AUTH', 'never')), user_email: `anna@${domain}` })).toEqual({ ok: false, failed: 'auth' })
  })

  it('reports the same for a stored mailbox', async () => {
    const http = service.asExpert(here.expert)
    const id = await createMailServer(http, { ...(await smtp()), user_email: `anna@${domain}` })
    const { body } = await http.post(`/mail_server/${id}/test`)
    expect(body).toMatchObject({ MailServerTest: { ok: true, sender: { domain, dkim: { state: 'signed' } } } })
  })
})
