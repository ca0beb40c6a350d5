import { createHmac, randomUUID } from 'node:crypto'
import { idempotencyStore } from '@caseway/kit/database'
import type { Answer, IdempotencyStore, KeyedRequest } from '@caseway/kit/idempotency'
import type { Employee } from '../../src/caller/index.js'
import type { Notes } from './notes.js'

/** The answer to a POST of a note. */
export const created = (id: bigint): Answer => ({
  status: 201,
  headers: { location: `/rest/note/${id}` },
  body: JSON.stringify({ id: String(id) }),
})

/** A POST of a note with an `Idempotency-Key`, as the HTTP layer passes it to the store. */
export const keyed = (caller: Employee, key: string, body: string, mode: KeyedRequest['mode'] = 'transaction'): KeyedRequest => ({
  caller,
  route: 'POST /rest/note',
  key,
  digest: createHmac('sha256', key).update(body).digest('base64url'),
  mode,
})

export interface KeyedPosts {
  store: IdempotencyStore
  /** A store that does not wait for the first request with a key. */
  impatient: IdempotencyStore
  /** The handler of a POST that writes a note and answers with `status`, by default 201. */
  post(caller: Employee, title: string, status?: number): () => Promise<Answer>
  /** Sends a request with a key. Its handler is `produce`, by default that of `post`. */
  send(caller: Employee, key: string, body: string, produce?: () => Promise<Answer>): Promise<Answer>
}

export function keyedPosts({ db }: Notes): KeyedPosts {
  const store = idempotencyStore(db)
  const post: KeyedPosts['post'] =
    (caller, title, status = 201) =>
    async () => {
      const note = await db.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title } }))
      return status === 201 ? created(note.id) : { status, headers: {}, body: `answered ${randomUUID()}` }
    }
  return {
    store,
    impatient: idempotencyStore(db, { waitMs: 0 }),
    post,
    send: (caller, key, body, produce = post(caller, body)) => store.once(keyed(caller, key, body), produce),
  }
}
