import { randomUUID } from 'node:crypto'
import type { EmployeeRole } from '@caseway/kit/caller'
import type { HttpAnswer, HttpClient } from '@caseway/testing'

/** A POST with an idempotency key, which may be repeated. */
export interface Write {
  path: string
  body: object
  key: string
}

/** A write and its answer; undefined when the platform died before it answered. */
export interface Attempt {
  by: EmployeeRole
  write: Write
  answer?: Reply
}

export type Reply = Pick<HttpAnswer<unknown>, 'status' | 'text'> & { location: string | null }

export async function send(api: HttpClient, { path, body, key }: Write): Promise<Reply> {
  const { status, text, headers } = await api.post(path, body, { 'idempotency-key': key })
  return { status, text, location: headers.get('location') }
}

interface Writing {
  readonly by: EmployeeRole
  readonly api: HttpClient
  next(name: string): Omit<Write, 'key'>
  onAnswer(): void
}

/** Writes one record after another until the platform is down. */
export async function writeUntilGone({ by, api, next, onAnswer }: Writing): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (;;) {
    const key = randomUUID()
    const attempt: Attempt = { by, write: { ...next(key), key } }
    attempts.push(attempt)
    try {
      attempt.answer = await send(api, attempt.write)
      onAnswer()
    } catch {
      return attempts
    }
  }
}
