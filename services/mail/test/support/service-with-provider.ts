import type { HttpClient, TestTenant } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { testService } from '@caseway/testing/service'
import { expect } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer, rowOf } from './mail-servers.js'

export const redirect_uri = 'https://office.example/connected'
/** The host of the provider, and of its mail servers. */
export const host = '127.0.0.1'
/** The body of a POST that creates a mailbox with OAuth 2.0. */
export const byProvider = { server_address: host, server_port: 993, user_password: undefined, oauth_provider: 'custom' }

export const refused = (field: string) => [400, { status: 'error', errorMessages: { [field]: expect.any(String) } }]

interface Answer {
  readonly MailServerOauth2?: { readonly authorization_url: string }
  readonly errorMessages?: unknown
}
export const begin = (http: HttpClient, id: number | bigint, fields: object = {}) =>
  http.post<Answer>(`/mail_server/${id}/oauth2`, { MailServerOauth2: { provider: 'custom', redirect_uri, ...fields } })
export const connect = (http: HttpClient, id: number | bigint, answer: object) =>
  http.put<Answer>(`/mail_server/${id}/oauth2`, { MailServerOauth2: answer })

const start = (variables: Readonly<Record<string, string>>) => testService(mail, { variables })

export interface ServiceWithProvider {
  readonly service: Awaited<ReturnType<typeof start>>
  readonly platform: TestPlatform
  stop(): Promise<void>
}

/** The service with an OAuth 2.0 provider of mailboxes. */
export async function serviceWithProvider(variables: Readonly<Record<string, string>> = {}): Promise<ServiceWithProvider> {
  const platform = await testPlatform()
  const beside = { OUTBOUND_PRIVATE_HOSTS: host, MAIL_DNS_SERVERS: '127.0.0.1:1', ...platform.mailVariables(host) }
  const service = await start({ MAIL_ROLES: 'http', ...beside, ...variables })
  return {
    ...{ service, platform },
    async stop() {
      await service.stop()
      await platform.stop()
    },
  }
}

/** The authorizations of an expert with an account at the provider; `of` returns the expert, at the time of a call. */
export function authorizationsOf(
  { service, platform }: ServiceWithProvider,
  of: () => { readonly office: TestTenant; readonly account: string },
) {
  const expert = () => service.asExpert(of().office.expert)
  const rows = (sql: string) => service.database.rows<Record<string, unknown>>(sql)
  const agreed = async (http: HttpClient, id: number) => {
    const { status, body, text } = await begin(http, id)
    if (status !== 200) throw new Error(text)
    const { code, state } = await platform.agree(of().account, body.MailServerOauth2?.authorization_url)
    return { code, state }
  }
  return {
    ...{ expert, agreed },
    async connected(http = expert(), fields: object = {}) {
      const id = await createMailServer(http, { ...byProvider, ...fields })
      expect((await connect(http, id, await agreed(http, id))).body).toEqual({ status: 'OK' })
      return id
    },
    rowOf: (id: number) => rowOf(service, id),
    async grantOf() {
      const { customerId, expert } = of().office
      return (await rows(`SELECT * FROM mail_grants WHERE customer_id = ${customerId} AND user_id = ${expert.userId}`))[0]
    },
  }
}
