import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@caseway/registry'
import { type HttpAnswer, type HttpClient, httpClient, keepOutboxHistory } from '@caseway/testing'
import { rowsOf } from './databases.js'

/** A client that records refused requests with their whole answers. */
function watched(client: HttpClient, refusals: string[]): HttpClient {
  const request = async <Body>(...asked: Parameters<HttpClient['request']>): Promise<HttpAnswer<Body>> => {
    const answer = await client.request<Body>(...asked)
    if (answer.status >= 400) refusals.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${answer.text}`)
    return answer
  }
  return {
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    delete: (path, headers) => request('DELETE', path, undefined, headers),
    as: (token) => watched(client.as(token), refusals),
  }
}

export const watchedClient = (url: string, refusals: string[]) => watched(httpClient(`${url}/rest`), refusals)

/** Bytes with printable characters unescaped, so that texts in them are found. */
const bytes = (column: string) => `encode(${column}, 'escape')`

/** Keeps published events for `everythingExposed`. */
export const keepEvents = (home: string) => Promise.all(serviceNames.map((service) => rowsOf(home, service, keepOutboxHistory)))

/** Everything that a running platform exposes, by place. */
export async function everythingExposed(home: string, metricsUrl: string) {
  const of = async (sql: string) => {
    const rows = await Promise.all(serviceNames.map((service) => rowsOf<{ row: string }>(home, service, sql)))
    return rows.flat().map(({ row }) => row)
  }
  const log = (file: string) => readFileSync(join(home, file), 'utf8').split('\n')
  return {
    log: log('caseway.log'),
    'log of PostgreSQL': log('postgres.log'),
    events: await of(`SELECT concat_ws(' ', topic, key, headers, ${bytes('payload')}) AS row FROM kit.outbox_history`),
    'dead letters': await of(`SELECT concat_ws(' ', topic, key, headers, error, ${bytes('payload')}) AS row FROM kit.dead_letter`),
    'audit trail': (await rowsOf<{ row: string }>(home, 'auth', 'SELECT event::text AS row FROM audit_events event')).map(({ row }) => row),
    metrics: (await (await fetch(metricsUrl)).text()).split('\n'),
  }
}

export type Exposed = Awaited<ReturnType<typeof everythingExposed>> & { answers: string[]; output: string[] }

/** A secret in all encodings that are searched: plain, as in headers and URLs, hex and base64. */
const writings = (secret: string): string[] => {
  const buffer = Buffer.from(secret)
  const base64 = (['base64', 'base64url', 'hex'] as const).map((encoding) => buffer.toString(encoding).replace(/=+$/, ''))
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64])]
}

/** Which of the named `secrets` are found where, with some of the surrounding text. */
export function leaks(told: Partial<Exposed>, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(told).flatMap(([place, lines]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      writings(secret).flatMap((writing) =>
        lines.filter((line) => line.includes(writing)).map((line) => `${name} in ${place}: ${around(line, writing)}`),
      ),
    ),
  )
}

const around = (line: string, writing: string) => line.slice(Math.max(0, line.indexOf(writing) - 200), line.indexOf(writing) + 50)
