import type { Socket } from 'node:net'
import type pg from 'pg'

interface Waiting {
  readonly connection: pg.Connection
  /** False while the server owes an answer. */
  readonly readyForQuery: boolean
}

/**
 * Ends a connection when statements are waiting and the server has said nothing for so long. It is one timer for the connection: those that pg sets for
 * each statement hold its rows, and one another, until a major garbage collection.
 */
export function endWhenSilent(client: Waiting, silenceMs: number): void {
  const stream = client.connection.stream as Socket
  stream.setTimeout(silenceMs).on('timeout', () => {
    if (!client.readyForQuery) stream.destroy(new Error('Query read timeout'))
  })
}
