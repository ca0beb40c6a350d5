import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpClient } from '@caseway/testing'

const pauseMs = 100
const timeoutMs = 30_000

/** Creates a case, repeating the request with its idempotency key until it is acknowledged. Returns its id. */
async function createCase(api: HttpClient, subject: string): Promise<string> {
  const key = randomUUID()
  let last: unknown
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause(pauseMs)) {
    try {
      const { status, text, body } = await api.post<{ id: number }>('/issue', { Issue: { subject } }, { 'idempotency-key': key })
      if (status === 201) return String(body.id)
      last = `${status} ${text}`
    } catch (error) {
      last = error
    }
  }
  throw new Error(`${subject} was not acknowledged: ${last}`)
}

/** Creates `count` cases by several writers. Returns their ids. */
export function createCases(api: HttpClient, count: number, { writers, onEach }: { writers: number; onEach(done: number): void }) {
  const ids: string[] = []
  let begun = 0
  const write = async () => {
    while (begun < count) {
      begun++
      ids.push(await createCase(api, `Case ${begun}`))
      onEach(ids.length)
    }
  }
  return Promise.all(Array.from({ length: writers }, write)).then(() => ids)
}
