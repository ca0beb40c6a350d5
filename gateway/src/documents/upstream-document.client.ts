import type { Logger } from '@caseway/kit/observability'
import { isOpenApi, type OpenApi } from './openapi.js'

/** A service's own document: the last one that it gave, undefined while it has given none. */
export type DocumentSource = () => Promise<OpenApi | undefined>

export interface FetchOptions {
  log: Logger
  /** How long a document, or that there is none, is taken for true. */
  cacheMs: number
  /** Default 2 seconds. */
  timeoutMs?: number
}

/** The document at one of `urls`, where all copies of a service have the same. Whoever asks while it is fetched shares the fetch. */
export function fetchedDocument(urls: readonly string[], { log, cacheMs, timeoutMs = 2_000 }: FetchOptions): DocumentSource {
  let last: OpenApi | undefined
  let fetchAgainAt = 0
  let current: Promise<void> | undefined

  async function refresh(): Promise<void> {
    try {
      last = await Promise.any(urls.map((url) => fetchDocument(url, timeoutMs)))
    } catch (err) {
      log.warn({ err }, 'the document of a service could not be fetched')
    }
    fetchAgainAt = Date.now() + cacheMs
    current = undefined
  }

  return async () => {
    if (Date.now() >= fetchAgainAt) {
      current ??= refresh()
      await current
    }
    return last
  }
}

async function fetchDocument(url: string, timeoutMs: number): Promise<OpenApi> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the document was answered with ${response.status}`)
  const document = await response.json()
  if (!isOpenApi(document)) throw new Error('what came is no OpenAPI 3.1 document')
  return document
}
