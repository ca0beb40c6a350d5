import type { AddressInfo } from 'node:net'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import { createHttpApp, type HttpAppOptions, type Routes } from '@caseway/kit/http'
import type { IdempotencyStore } from '@caseway/kit/idempotency'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { createTokenVerifier } from '@caseway/kit/tokens'
import { type HttpClient, httpClient, type Person, type TestIssuer, testIssuer } from '@caseway/testing'

export const urls = { expert: 'https://experts.example', client: 'https://clients.example' }

/** A listening app, with clients for it. */
export interface Served {
  url: string
  port: number
  issuer: TestIssuer
  /** The lines of the log. */
  lines: string[]
  asExpert(person: Person<unknown>): HttpClient
  asClient(person: Person<unknown>): HttpClient
  stop(): Promise<void>
}

/** A store without memory, for apps without repeated requests. */
const noStore: IdempotencyStore = { once: (_request, produce) => produce() }

const zones = new Map<Id, string>()

/** Sets the time zone of an office. Default `Europe/Warsaw`. */
export const onTheClocksOf = (customerId: Id, zone: string) => void zones.set(customerId, zone)

interface Options extends Partial<Omit<HttpAppOptions, 'routes'>> {
  expert?: Routes[]
  client?: Routes[]
  public?: Routes[]
  unprotected?: Routes[]
}

export async function serve({ expert = [], client = [], public: open = [], unprotected = [], ...options }: Options): Promise<Served> {
  const issuer = await testIssuer()
  const lines: string[] = []
  const app = createHttpApp({
    name: 'notes',
    log: createLog({ service: 'notes', level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    metrics: createMetrics('notes'),
    verifier: createTokenVerifier({ keys: issuer.keys, issuer: issuer.issuer }),
    urls,
    timeZones: { of: async (customerId) => zones.get(customerId) ?? 'Europe/Warsaw' },
    idempotency: noStore,
    routes: { expert, client, public: open, unprotected },
    ...options,
  })
  const stop = async () => {
    await app.close()
    await issuer.stop()
  }
  await app.listen({ host: '127.0.0.1', port: 0 }).catch(async (error) => {
    await stop()
    throw error
  })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    issuer,
    lines,
    asExpert: ({ token }: Person<Employee | unknown>) => httpClient(`${url}/expert/rest`, token),
    asClient: ({ token }: Person<Client | unknown>) => httpClient(`${url}/client/rest`, token),
    stop,
  }
}
