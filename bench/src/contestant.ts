import type { Processes } from './measuring/cpu.js'

export interface Request {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** A server that is asked over HTTP, by as many connections as the others. */
export interface Contestant {
  url: string
  /** Asked in turn; each connection has a part of them, when there are enough. */
  requests: readonly Request[]
  /** Whether `[<id>]` in a request becomes another text each time. */
  freshIds?: boolean
  /** Whose CPU time is its cost. */
  processes: () => Processes
}
