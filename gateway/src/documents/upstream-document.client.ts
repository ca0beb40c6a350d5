import type { Logger } from '@caseway/kit/observability'
import { isOpenApi, type OpenApi } from './openapi.js'

/** Returns the last known document of a service, as the same object until the service changes it; undefined while none is known. */
export type DocumentSource = () => Promise<OpenApi | undefined>

export interface FetchOptions {
  log: Logger
  /** How long a document, or a failed attempt to fetch it, is cached. */
  cacheMs: number
  /** Default: 2,000. */
  timeoutMs?: number
}

/** Fetches the document of a service from whichever of `urls`, its copies, answers first. Concurrent callers share one fetch. */
export function fetchedDocument(urls: readonly string[], { log, cacheMs, timeoutMs = 2_000 }: FetchOptions): DocumentSource {
  let last: Fetched | undefined
  let fetchAgainAt = 0
  let current: Promise<void> | undefined

  async function refresh(): Promise<void> {
    try {
      last = await Promise.any(urls.map((url) => fetchDocument(url, timeoutMs, last)))
    } catch (err) {
      log.warn({ err }, 'the OpenAPI document of a service could not be fetched')
    }
    fetchAgainAt = Date.now() + cacheMs
    current = undefined
  }

  return async () => {
    if (Date.now() >= fetchAgainAt) {
      current ??= refresh()
      await current
    }
    return last?.document
  }
}

interface Fetched {
  readonly etag: string | null
  readonly document: OpenApi
}

async function fetchDocument(url: string, timeoutMs: number, last: Fetched | undefined): Promise<Fetched> {
  const known = last?.etag ? { 'if-none-match': last.etag } : {}
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
    headers: { accept: 'application/json', ...known },
  })
  if (response.status === 304 && last) return last
  if (!response.ok) throw new Error(`the document was answered with ${response.status}`)
  const document = await response.json()
  if (!isOpenApi(document)) throw new Error('the answer is not an OpenAPI 3.1 document')
  return { etag: response.headers.get('etag'), document }
}
