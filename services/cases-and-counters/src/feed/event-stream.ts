import { Readable } from 'node:stream'
import type { LiveEvent } from './reader.js'

/** The maximum of unread bytes before a stream is ended. The browser reconnects and resumes. */
const maxUnreadBytes = 262_144

/**
 * Server-Sent Events (HTML Standard 9.2) as the body of an answer, so that Fastify handles headers, hooks and disconnects. @fastify/sse bypasses the
 * hooks, keeps a timer for each stream, and its `send` adds listeners without a limit while a slow reader does not drain.
 */
export class EventStream extends Readable {
  #over = false

  override _read(): void {
    // Data is pushed by `send`.
  }

  /** Sends events; the last one has the id, so that a reader who resumes from it has received all of them. */
  send(events: readonly LiveEvent[], id: string): void {
    const texts = events.map(({ event, data }) => `event: ${event}\ndata: ${data}\n`)
    this.#write(`${texts.join('\n')}id: ${id}\n\n`)
  }

  /** Sends a comment, so that proxies do not close an idle stream. */
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
