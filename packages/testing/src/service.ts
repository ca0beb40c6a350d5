import { fileURLToPath } from 'node:url'
import { createDirectTransport } from '@caseway/kit/events'
import { createLog, createMetrics } from '@caseway/kit/observability'
import type { RunningService, Service } from '@caseway/kit/service'
import { variableOf } from '@caseway/registry'
import { type TestDatabase, testDatabase } from './database.js'
import { type HttpClient, httpClient } from './http-client.js'
import { type TestIssuer, testIssuer } from './issuer.js'
import { type Person, type TestTenant, testTenant } from './tenants.js'

/** A service that runs on a database of its own, with events within the process. */
export interface TestService<Administration = unknown> {
  readonly service: RunningService<Administration>
  readonly database: TestDatabase
  readonly issuer: TestIssuer
  /** An office that no other test knows. */
  office(): TestTenant
  asExpert(person: Person<unknown>): HttpClient
  asClient(person: Person<unknown>): HttpClient
  stop(): Promise<void>
}

export const expertUrl = 'https://expert.example.test'
export const clientUrl = 'https://client.example.test'

const migrationsOf = (service: string) => fileURLToPath(new URL(`../../../services/${service}/prisma/migrations`, import.meta.url))

/**
 * Starts a service for one test file.
 * @param variables of its configuration, beside those of every service
 */
export async function testService<Administration>(
  definition: Service<Administration>,
  variables: Record<string, string> = {},
): Promise<TestService<Administration>> {
  const { name } = definition
  const [database, issuer] = await Promise.all([testDatabase({ name, migrations: migrationsOf(name) }), testIssuer()])
  const transport = createDirectTransport()
  const env = {
    [variableOf(name, 'DATABASE_URL')]: database.url,
    [variableOf(name, 'HTTP_HOST')]: '127.0.0.1',
    [variableOf(name, 'HTTP_PORT')]: '0',
    [variableOf(name, 'READINESS_DELAY_MS')]: '0',
    EXPERT_URL: expertUrl,
    CLIENT_URL: clientUrl,
    TOKEN_ISSUER: issuer.issuer,
    JWKS_URL: issuer.jwksUrl,
    GRPC_INSECURE: 'true',
    ...variables,
  }
  const log = createLog({ service: name, level: 'silent' })
  const service = await definition.start(env, { transport, log, metrics: createMetrics(name) })
  const as = (address: 'expert' | 'client', { token }: Person<unknown>) => httpClient(`${service.httpUrl}/${address}/rest`, token)

  return {
    service,
    database,
    issuer,
    office: () => testTenant(issuer),
    asExpert: (person) => as('expert', person),
    asClient: (person) => as('client', person),
    async stop() {
      await service.stop()
      await transport.stop()
      await issuer.stop()
      await database.drop()
    },
  }
}
