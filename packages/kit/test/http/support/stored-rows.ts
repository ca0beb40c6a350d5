import { hash } from 'node:crypto'
import type { ResourceReads } from '@caseway/kit/database'
import { type Routes, resourceRoutes } from '@caseway/kit/http'
import type { Resource } from '@caseway/kit/resource'
import { type HttpClient, testTenant } from '@caseway/testing'
import { expect } from '@jest/globals'
import type { Note } from './any-notes.js'
import type { ServedNotes } from './notes.js'
import { onTheClocksOf } from './served.js'

/** The routes of a resource twice: with its own reads, which answer with stored rows, and with wrapped reads, which answer with records. */
export const bothRoutes = <R extends Resource>(resource: R, { list, get }: ResourceReads<R>): Routes[] => [
  resourceRoutes({ ...resource, name: `Stored${resource.path}`, path: `stored-${resource.path}` }, { list, get }),
  resourceRoutes(
    { ...resource, name: `Record${resource.path}`, path: `record-${resource.path}` },
    { list: (caller, query) => list(caller, query), get: (caller, id) => get(caller, id) },
  ),
]

/** Asserts that both routes answer a path equally. */
export async function bothWays(http: HttpClient, path: string): Promise<void> {
  const answer = async (way: 'stored' | 'record') => {
    const { status, text, headers } = await http.get(`/${way}-${path}`)
    const shown = ['content-type', 'content-length', 'etag', 'cache-control', 'link', 'x-total-count'].map((name) => headers.get(name))
    return (
      JSON.stringify([status, text, shown])
        // The digest in the entity tag differs, because the names of the resources are part of the text.
        .replaceAll(hash('sha256', text, 'base64url').slice(0, 16), '')
        .replaceAll(way, '')
        .replaceAll(way === 'stored' ? 'Stored' : 'Record', '')
    )
  }
  expect(await answer('stored')).toBe(await answer('record'))
}

/** Creates an office in a time zone, with these notes. */
export async function officeWith(served: ServedNotes, written: readonly Note[], zone: string) {
  const { customerId, expert } = testTenant(served.issuer)
  onTheClocksOf(customerId, zone)
  const rows = JSON.stringify(written, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const inserted = await served.rows<{ id: string }>(
    `INSERT INTO notes (customer_id, client_id, title, rank, price, day, done, created, modified)
     SELECT $1, client_id, title, rank, price, day, done, created, modified FROM jsonb_populate_recordset(NULL::notes, $2::jsonb) RETURNING id`,
    [customerId, rows],
  )
  return { http: served.asExpert(expert), ids: inserted.map(({ id }) => id) }
}
