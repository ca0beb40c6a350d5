import type { Processes } from './measuring/cpu.js'

export interface Request {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** An HTTP server to be measured, with the same number of connections as the others. */
export interface Contestant {
  url: string
  /** Sent in turn; each connection sends its own part of them if there are enough. */
  requests: readonly Request[]
  /** Whether `[<id>]` in a request is replaced by a new text each time. */
  freshIds?: boolean
  /** The processes whose CPU time counts as its cost. */
  processes: () => Processes
}
