import { LRUCache } from 'lru-cache'
import { endWith, errorTypeOf, type Span } from '../../tracing/index.js'

interface Summary {
  readonly operation: string
  /** The first table of the statement. */
  readonly collection?: string | undefined
}

const summaries = new LRUCache<string, Summary>({ max: 500 })

const identifier = String.raw`(?:"[^"]+"|[\w$]+)`
const table = String.raw`(${identifier}(?:\.${identifier})?)`
/** A name before `(` is a function and no table: `extract(epoch FROM now())`. */
const firstTable = new RegExp(String.raw`\b(?:(?:into|update)\s+${table}|from\s+${table}(?![\w$."]|\s*\())`, 'i')

/** The operation and the first table of a statement. Spans do not contain its text, which may be long, or contain a value. */
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

/** Sends a statement in a span of its own (OpenTelemetry, Semantic Conventions for PostgreSQL). */
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
