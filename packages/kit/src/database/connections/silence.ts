import type { Socket } from 'node:net'
import type pg from 'pg'

interface Waiting {
  readonly connection: pg.Connection
  /** False while the server owes an answer. */
  readonly readyForQuery: boolean
}

/**
 * Destroys a connection when statements wait and the server has sent nothing for `silenceMs` milliseconds. This is one timer per connection: the timers that
 * pg sets for each statement would keep its rows in memory until a major garbage collection.
 */
export function endWhenSilent(client: Waiting, silenceMs: number): void {
  const stream = client.connection.stream as Socket
  stream.setTimeout(silenceMs).on('timeout', () => {
    if (!client.readyForQuery) stream.destroy(new Error('Query read timeout'))
  })
}
