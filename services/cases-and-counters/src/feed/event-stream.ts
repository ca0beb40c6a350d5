import { Readable } from 'node:stream'
import type { LiveEvent } from './reader.js'

/** What a slow reader may leave unread before they are cut off. Their browser comes back and resumes. */
const maxUnreadBytes = 262_144

/**
 * Server-Sent Events (HTML Standard 9.2) as the body of an answer, so that headers, hooks and hanging up are fastify's.
 * @fastify/sse was weighed: it writes past the hooks, keeps a timer for each stream, and its `send` adds listeners while a slow
 * reader does not drain, without a bound.
 */
export class EventStream extends Readable {
  #over = false

  override _read(): void {
    // Everything is pushed.
  }

  /** The id comes with the last event alone: a stream that resumes from it has received them all. */
  send(events: readonly LiveEvent[], id: string): void {
    const texts = events.map(({ event, data }) => `event: ${event}\ndata: ${data}\n`)
    this.#write(`${texts.join('\n')}id: ${id}\n\n`)
  }

  /** Keeps proxies from taking the silence for an end. */
  keepAlive(): void {
    this.#write(': still here\n\n')
  }

  end(): void {
    this.#over = true
    this.push(null)
  }

  #write(text: string): void {
    if (this.#over || this.destroyed) return
    if (this.readableLength + text.length > maxUnreadBytes) this.destroy()
    else this.push(text)
  }
}
