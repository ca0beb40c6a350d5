import { hash } from 'node:crypto'
import type { ResourceReads } from '@caseway/kit/database'
import { type Routes, resourceRoutes } from '@caseway/kit/http'
import type { Resource } from '@caseway/kit/resource'
import { type HttpClient, testTenant } from '@caseway/testing'
import { expect } from '@jest/globals'
import type { Note } from './any-notes.js'
import type { ServedNotes } from './notes.js'
import { onTheClocksOf } from './served.js'

/** The reads of a resource at two addresses: as they are, and of somebody who has a list of their own, and is given records. */
export const bothRoutes = <R extends Resource>(resource: R, { list, get }: ResourceReads<R>): Routes[] => [
  resourceRoutes({ ...resource, name: `Stored${resource.path}`, path: `stored-${resource.path}` }, { list, get }),
  resourceRoutes(
    { ...resource, name: `Record${resource.path}`, path: `record-${resource.path}` },
    { list: (caller, query) => list(caller, query), get: (caller, id) => get(caller, id) },
  ),
]

/** The same address of both, by what is said of it: `stored`, or `record`. */
export async function bothWays(http: HttpClient, path: string): Promise<void> {
  const answer = async (way: 'stored' | 'record') => {
    const { status, text, headers } = await http.get(`/${way}-${path}`)
    const said = ['content-type', 'content-length', 'etag', 'cache-control', 'link', 'x-total-count'].map((name) => headers.get(name))
    return (
      JSON.stringify([status, text, said])
        // The names of the two are in the text of which it is the digest.
        .replaceAll(hash('sha256', text, 'base64url').slice(0, 16), '')
        .replaceAll(way, '')
        .replaceAll(way === 'stored' ? 'Stored' : 'Record', '')
    )
  }
  expect(await answer('stored')).toBe(await answer('record'))
}

/** An office on the clocks of a zone that has these notes. */
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
