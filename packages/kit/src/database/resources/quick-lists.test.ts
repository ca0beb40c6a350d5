import { randomUUID } from 'node:crypto'
import { expect, it } from '@jest/globals'
import type { Employee } from '../../caller/index.js'
import { idText, integerText, line } from '../../fields/index.js'
import { defineResource, type ListQuery } from '../../resource/index.js'
import type { Database } from '../types.js'
import { resourceReads } from './resource-reads.js'

const number = integerText({ min: 1, max: 99 })

const resource = defineResource({
  ...{ name: 'Shelf', path: 'shelf', table: 'shelves' },
  fields: { id: idText, title: line({ max: 100 }), row_number: number, room_number: number },
  filter: ['row_number', 'room_number'],
  sort: ['id', 'title', 'row_number'],
  search: { table: 'shelf_documents', of: 'shelf_id' },
  unindexed: { row_number: 'An office has some hundred shelves.' },
})
type Query = ListQuery<typeof resource>

const person: Employee = { audience: 'expert', role: 'expert', userId: 1n, customerId: 1n, sessionId: randomUUID() }
const byId: Query = { limit: 25, sort: { field: 'id', descending: false }, filters: {}, count: false }

/** How the statements of a list are sent. */
async function sentBy(query: Partial<Query>): Promise<string[]> {
  const sent: string[] = []
  const by = (how: string) => async () => {
    sent.push(how)
    return []
  }
  const db = { query: by('alone'), pipelined: { query: by('pipelined') } } as unknown as Database<unknown>
  await resourceReads(db, resource).list(person, { ...byId, ...query })
  return sent
}

it.each<[string, Partial<Query>, string[]]>([
  ['without a condition is pipelined', {}, ['pipelined']],
  ['by an indexed filter is pipelined', { filters: { roomNumber: 1 } }, ['pipelined']],
  ['by an unindexed filter is not', { filters: { rowNumber: 1 } }, ['alone']],
  ['in an indexed order is pipelined', { sort: { field: 'title', descending: true } }, ['pipelined']],
  ['in an unindexed order is not', { sort: { field: 'rowNumber', descending: false } }, ['alone']],
  ['with a search is not', { search: 'wood' }, ['alone']],
  ['with its total is pipelined, but not the count', { count: true }, ['pipelined', 'alone']],
])('a list %s', async (_, query, sent) => {
  expect(await sentBy(query)).toEqual(sent)
})
