import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import papaparse from 'papaparse'
import type { CallerOf, ListQuery, Resource, StoredList, StoredPage, StoredRow, Zones } from '../../resource/index.js'

const csv = 'text/csv'

/** Records per statement. They are in memory at once, and each may be as large as a body. */
const pageSize = 100

/** Whether `Accept` prefers CSV to JSON (RFC 9110 12.5.1). */
export const prefersCsv = (request: FastifyRequest): boolean => new Negotiator(request).mediaType(['application/json', csv]) === csv

/**
 * Returns a function that answers with all records of a list as CSV (RFC 4180, in UTF-8, with a header line). It streams by keyset pagination, with one page in
 * memory; it is not a snapshot, but contains every record that exists throughout. A text that a spreadsheet would take for a formula gets an apostrophe before
 * it (OWASP, CSV Injection). An error of the first page is answered as usual; a later one truncates the answer.
 */
export function sendCsv<R extends Resource>({ columns, path }: R, list: StoredList<R>, zones: Zones) {
  const cellsOf = (row: StoredRow, zone: string) =>
    columns.map(({ field }, at) => {
      const text = row[at] ?? null
      // Text is sent as it is stored. The JSON of all other types contains no escapes, so that removing its quotes suffices.
      return text === null || field.sql === 'text' ? text : field.transcode(text, zone).replaceAll('"', '')
    })

  async function* lines(caller: CallerOf<R>, query: ListQuery<R>, zone: string, first: StoredPage): AsyncGenerator<string> {
    const linesOfPage = ({ items }: StoredPage) => linesOf(items.map((row) => cellsOf(row, zone)))
    yield linesOf([columns.map(({ wire }) => wire)])
    yield linesOfPage(first)
    for (let { next } = first; next; ) {
      const page = await list(caller, { ...query, count: false, cursor: next })
      yield linesOfPage(page)
      next = page.next
    }
  }

  return async (reply: FastifyReply, caller: CallerOf<R>, requested: ListQuery<R>) => {
    const query = { ...requested, limit: pageSize }
    const zone = await zones(caller.customerId)
    // For HEAD, Fastify would read the whole stream and drop it.
    const isRead = reply.request.method !== 'HEAD'
    const first = isRead || query.count ? await list(caller, query) : undefined
    reply.type(`${csv}; charset=utf-8; header=present`)
    reply.headers({ vary: 'Accept', 'content-disposition': `attachment; filename="${path}.csv"` })
    if (first?.total !== undefined) reply.header('x-total-count', first.total)
    return reply.send(Readable.from(isRead && first ? lines(caller, query, zone, first) : []))
  }
}

/** A text that a spreadsheet may take for a formula, by its first character; full-width forms count (OWASP, CSV Injection). */
const formula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

const lineEnd = '\r\n'

const linesOf = (rows: readonly unknown[][]): string =>
  rows.length === 0 ? '' : papaparse.unparse([...rows], { escapeFormulae: formula, newline: lineEnd }) + lineEnd
