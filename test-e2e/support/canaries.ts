import { randomUUID } from 'node:crypto'
import type { HttpClient } from '@caseway/testing'
import type { TestPlatform } from '@caseway/testing/accounting-platform'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { rowsOf } from './databases.js'

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Unique values by name. */
export function canaries() {
  const secrets: Record<string, string> = {}
  const texts: Record<string, string> = {}
  const put = (kept: Record<string, string>, name: string, value: string) => {
    kept[name] = value
    return value
  }
  return {
    /** Values that must not appear anywhere. */
    secrets,
    /** Texts of people, which are not secret, but must not appear in logs, refusals or metrics. */
    texts,
    secret: (name: string) => put(secrets, name, `Kanarek-${name}-${randomUUID()}`),
    text: (name: string) => put(texts, name, `Drozd-${name}-${randomUUID()}`),
    keep: (name: string, value: string) => put(secrets, name, value),
  }
}

export interface Scene extends ReturnType<typeof canaries> {
  readonly home: string
  readonly demo: Demo
  readonly platform: TestPlatform
  /** The receiver of webhooks. */
  readonly receiver: Receiver
  /** A client of the address for experts that records refusals. */
  readonly experts: HttpClient
  /** A harmless value that appears in every place, to show that the search works there. */
  readonly marker: string
}

export const account = (at: Scene) => {
  const { username, password } = at.demo.offices[0]?.accounts.administrator ?? { username: '', password: '' }
  return { username, password: at.secrets.password ?? password }
}

export const grant = (at: Scene, parameters: object, headers: Record<string, string> = {}) =>
  at.experts.post<Tokens>('/token', { client_id: at.demo.client_id, ...parameters }, headers)

export const inDatabase = ({ home }: Scene, sql: string, service = 'auth') => rowsOf(home, service, sql)

export async function markEachPlace(at: Scene): Promise<void> {
  await at.experts.get('/tag', { 'x-request-id': at.marker })
  await inDatabase(at, `SELECT '${at.marker}'::int`).catch(() => undefined)
  // No consumer can decode it, so it becomes a dead letter after five attempts.
  await inDatabase(
    at,
    `INSERT INTO kit.outbox (event_id, topic, key, payload, headers) VALUES (gen_random_uuid(), 'auth.user.v1', '${at.marker}', '${at.marker}', '{}')`,
  )
}
