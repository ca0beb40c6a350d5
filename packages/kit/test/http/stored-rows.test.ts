import { resourceReads } from '@caseway/kit/database'
import {
  amount,
  choice,
  date,
  flagInteger,
  flagText,
  idInteger,
  idText,
  integer,
  integerText,
  line,
  nullable,
  timestamp,
} from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import { having } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Note, notes, numRuns, zones } from './support/any-notes.js'
import { type ServedNotes, serveNotes } from './support/notes.js'
import { bothRoutes, bothWays, officeWith } from './support/stored-rows.js'

/** The resource of notes with every kind of field that a column can have, below `path`. */
const notesWith = (path: string, listAs?: 'results') =>
  defineResource({
    name: 'Note',
    path,
    table: 'notes',
    fields: {
      id: idText,
      customer_id: idText,
      client_id: nullable(idInteger),
      title: line({ max: 100 }),
      rank: nullable(integerText({ min: -100, max: 100 })),
      price: nullable(amount),
      day: nullable(date),
      done: flagText,
      created: timestamp,
      modified: timestamp,
    },
    sort: ['id', 'client_id', 'title', 'rank', 'price', 'day', 'done', 'created'],
    ...(listAs && { listAs }),
  })

const wordsWith = (path: string) =>
  defineResource({
    name: 'Word',
    path,
    table: 'notes',
    fields: { id: idInteger, title: choice('new', '3', '"ż"'), rank: nullable(integer({ min: -100, max: 100 })), done: flagInteger },
    sort: ['id'],
  })

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes((db) => [
    ...[notesWith('note'), notesWith('page', 'results')].flatMap((resource) => bothRoutes(resource, resourceReads(db, resource))),
    ...bothRoutes(wordsWith('word'), resourceReads(db, wordsWith('word'))),
  ])
})
afterAll(() => served.stop())

describe('stored rows', () => {
  it('are encoded byte for byte as their records', async () => {
    const offices = fc.tuple(fc.uniqueArray(notes, { maxLength: 6, selector: ({ title }) => title }), zones)
    await fc.assert(
      fc.asyncProperty(offices, async ([written, zone]) => {
        const { http, ids } = await officeWith(served, written, zone)
        for (const path of ['note', 'note?count=1&limit=2', 'page', 'page?limit=1', 'word']) await bothWays(http, path)
        for (const id of ids.slice(0, 2)) await bothWays(http, `note/${id}`)
      }),
      { numRuns },
    )
  })

  it.each(['id', 'client_id', 'title', 'rank', 'price', 'day', 'done', 'created'])(
    'lead to the same next page in the order of %s',
    async (sort) => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(notes, { minLength: 3, maxLength: 3, selector: ({ title }) => title }), async (written) => {
          const { http } = await officeWith(served, written, 'Europe/Warsaw')
          for (const path of [`note?limit=1&sort=${sort}`, `note?limit=2&sort=${sort}`]) await bothWays(http, path)
        }),
        { numRuns: numRuns / 5 },
      )
    },
  )

  it('show times in the zone of each office', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const shown = async (zone: string) => {
      const { http, ids } = await officeWith(served, [{ ...note, created: '2026-07-01T10:00:00Z' }], zone)
      return (await http.get<{ Notenote: { created: string } }>(`/stored-note/${ids[0]}`)).text
    }
    expect(await shown('Asia/Kathmandu')).toContain('"created":"2026-07-01 15:45:00"')
    expect(await shown('UTC')).toContain('"created":"2026-07-01 10:00:00"')
  })

  it('answer 304 and 404 as records do', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const { http, ids } = await officeWith(served, [note], 'UTC')
    for (const way of ['stored', 'record']) {
      const known = await http.get(`/${way}-note/${ids[0]}`)
      expect(await http.get(`/${way}-note/${ids[0]}`, having(known))).toMatchObject({ status: 304, text: '' })
      expect(await http.get(`/${way}-note/1`)).toMatchObject({ status: 404 })
    }
  })
})
