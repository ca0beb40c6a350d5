import { LRUCache } from 'lru-cache'
import { endWith, errorTypeOf, type Span } from '../../tracing/index.js'

interface Summary {
  readonly operation: string
  /** The table; of several the first. */
  readonly collection?: string | undefined
}

const summaries = new LRUCache<string, Summary>({ max: 500 })

const identifier = String.raw`(?:"[^"]+"|[\w$]+)`
const table = String.raw`(${identifier}(?:\.${identifier})?)`
/** A name before `(` is a function and not a table: `extract(epoch FROM now())`. */
const firstTable = new RegExp(String.raw`\b(?:(?:into|update)\s+${table}|from\s+${table}(?![\w$."]|\s*\())`, 'i')

/** The operation and the table of a statement. The text itself is not shown: it may be long, and might one day contain a value. */
function summaryOf(text: string): Summary {
  const known = summaries.get(text)
  if (known) return known
  const operation = (/^\s*(\w+)/.exec(text)?.[1] ?? 'statement').toUpperCase()
  const [, written, read] = firstTable.exec(text) ?? []
  const collection = (written ?? read)?.replaceAll('"', '').replace(/^public\./, '')
  const summary = { operation, collection }
  summaries.set(text, summary)
  return summary
}

const sqlState = /^[0-9A-Z]{5}$/

/** Sends a statement as a step of its own (OpenTelemetry, Semantic Conventions for PostgreSQL). */
export function traceStatement<T>(parent: Span, text: string, send: () => Promise<T>): Promise<T> {
  const { operation, collection } = summaryOf(text)
  const summary = collection === undefined ? operation : `${operation} ${collection}`
  const span = parent.child(summary, 'client', {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': summary,
    ...(collection !== undefined && { 'db.collection.name': collection }),
  })
  const sent = send()
  sent.catch((error: unknown) => {
    const code = errorTypeOf(error)
    if (sqlState.test(code)) span.describe({ 'db.response.status_code': code })
  })
  return endWith(span, sent)
}
