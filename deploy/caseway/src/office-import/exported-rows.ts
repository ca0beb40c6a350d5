import type { IdRange } from '@caseway/kit/office-data'
import { Problem } from '../problem.js'
import { type CompleteExport, parsed } from './complete-export.js'

/** A summary of the rows of a table in an export. */
export interface ExportedRows {
  readonly path: string
  readonly count: number
  readonly columns: readonly string[]
  /** The lowest and the highest id. Without rows, or without ids, it is the range of 1 alone. */
  readonly ids: IdRange
}

const maxRows = 500
const maxBytes = 4_194_304

/** Reads the rows of a table once for a summary. @throws Problem where a line is not a row, or has other columns than the first */
export async function surveyed(source: CompleteExport, path: string): Promise<ExportedRows> {
  let count = 0
  let columns: string | undefined
  let [first, last]: (number | undefined)[] = []
  for await (const line of source.lines(path)) {
    const row = parsed(line, path)
    count += 1
    const names = Object.keys(row).toSorted().join(' ')
    columns ??= names
    if (names !== columns) throw new Problem(`${path} has rows with different columns.`)
    if (!Number.isSafeInteger(row.id)) continue
    const id = row.id as number
    first = Math.min(first ?? id, id)
    last = Math.max(last ?? id, id)
  }
  return { path, count, columns: columns?.split(' ') ?? [], ids: { first: BigInt(first ?? 1), last: BigInt(last ?? 1) } }
}

/** The lines of a file in pages, each of which fits into one statement. */
export async function* pagesOf(source: CompleteExport, path: string, inOne: boolean): AsyncGenerator<string[]> {
  let page: string[] = []
  let bytes = 0
  for await (const line of source.lines(path)) {
    page.push(line)
    bytes += line.length
    if (inOne || (page.length < maxRows && bytes < maxBytes)) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

/** By service and table, such as `auth.users`. */
export type Surveys = ReadonlyMap<string, ExportedRows>
