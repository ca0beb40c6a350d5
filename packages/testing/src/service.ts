import type { Service } from '@caseway/kit/service'
import { customerTopic } from '@caseway/protos/topics'
import { grpcAddressVariable, services } from '@caseway/registry'
import { customer, type FakeAuth, fakeAuth, link, user } from './fake-auth.js'
import type { HttpClient } from './http-client.js'
import { type TestIssuer, testIssuer } from './issuer.js'
import { type StandaloneOptions, type StandaloneService, standaloneService } from './standalone-service.js'
import { type Person, type TestTenant, testClient, testTenant } from './tenants.js'

export interface TestServiceOptions extends StandaloneOptions {
  /** Sets the records of auth before the service starts. */
  readonly prepare?: (auth: FakeAuth) => void
}

/** A service with a fake of auth, which signs the tokens and has the people. */
export interface TestService<Administration = unknown> extends StandaloneService<Administration> {
  readonly issuer: TestIssuer
  readonly auth: FakeAuth
  /** Creates an office of this test, whose people auth has. */
  office(): TestTenant
  /** Creates an office in a time zone. */
  officeIn(timeZone: string): Promise<TestTenant>
  /** Creates a client who is linked to these offices. */
  client(...offices: TestTenant[]): ReturnType<typeof testClient>
  asExpert(person: Person<unknown>): HttpClient
  asClient(person: Person<unknown>): HttpClient
}

/** The rights outside of auth that the roles administrator and expert include. */
const rightsOfExperts = ['replies.approve', 'company_card.manage', 'widgets.manage', 'integrations.manage']

/** Addresses of the other services at which nothing answers, unless the test sets them. */
const unreachablePeers = (name: string) =>
  Object.fromEntries(
    services.find((service) => service.name === name)?.asks.map((peer) => [grpcAddressVariable(peer), 'ipv4:127.0.0.1:1']) ?? [],
  )

/** Starts a service for one test file. */
export async function testService<Administration>(
  definition: Service<Administration>,
  { prepare = () => undefined, variables, through }: TestServiceOptions = {},
): Promise<TestService<Administration>> {
  const [issuer, auth] = await Promise.all([testIssuer(), fakeAuth()])
  prepare(auth)
  const beside = { ...unreachablePeers(definition.name), JWKS_URL: issuer.jwksUrl, [grpcAddressVariable('auth')]: auth.address }
  const running = await standaloneService(definition, { variables: { ...beside, ...variables }, through })

  const office = () => {
    const tenant = testTenant(issuer)
    const { customerId, administrator, expert, specialist, trainee } = tenant
    auth.users.push(...[administrator, expert, specialist, trainee].map(({ userId: id }) => user({ id, customerId })))
    for (const { userId } of [administrator, expert]) auth.rights.set(userId, rightsOfExperts)
    return tenant
  }
  return {
    ...running,
    ...{ issuer, auth, office },
    async officeIn(timeZone) {
      const tenant = office()
      await running.publish(customerTopic, customer({ id: tenant.customerId, timeZone }))
      return tenant
    },
    client(...offices) {
      const person = testClient(issuer)
      auth.links.push(...offices.map(({ customerId }) => link({ customerId, clientId: person.userId })))
      return person
    },
    asExpert: ({ token }) => running.http('expert', token),
    asClient: ({ token }) => running.http('client', token),
    async stop() {
      await running.stop()
      await Promise.all([auth.stop(), issuer.stop()])
    },
  }
}
