import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

export interface EventStream {
  status: number
  headers: Headers
  /** All events so far. */
  events: readonly EventSourceMessage[]
  /** All comment lines so far. */
  comments: readonly string[]
  /**
   * The first event that `matches` and was not returned before; waits for it if necessary.
   * @throws Error when it does not arrive in time, or the stream ends without it
   */
  next(matches?: (event: EventSourceMessage) => boolean, timeoutMs?: number): Promise<EventSourceMessage>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  close(): Promise<void>
}

/** Reads Server-Sent Events (HTML Standard 9.2). */
export async function eventStream(url: string, token: string, { lastEventId }: { lastEventId?: string } = {}): Promise<EventStream> {
  const stopping = new AbortController()
  const response = await fetch(url, {
    headers: {
      ...{ authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: stopping.signal,
  })
  const events: EventSourceMessage[] = []
  const comments: string[] = []
  const answered = new Set<EventSourceMessage>()
  const waiting = new Set<() => void>()
  let over = false

  const look = () => {
    for (const wake of waiting) wake()
  }
  const parser = new EventSourceParserStream({ onComment: (comment) => comments.push(comment) })
  const read = async () => {
    for await (const event of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
      events.push(event)
      look()
    }
  }
  // An aborted stream is an end as well; `next` reports what is missing.
  const ended = read()
    .catch(() => undefined)
    .then(() => {
      over = true
      look()
    })

  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    ended,
    next: (matches = () => true, timeoutMs = 5000) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer)
          waiting.delete(check)
          act()
        }
        const seen = () => `the stream brought ${JSON.stringify(events.map(({ event, data }) => ({ event, data })))}`
        const check = () => {
          const found = events.find((event) => !answered.has(event) && matches(event))
          if (found) answered.add(found)
          if (found) settle(() => resolve(found))
          else if (over) settle(() => reject(new Error(`Ended without the event: ${seen()}`)))
        }
        const timer = setTimeout(() => settle(() => reject(new Error(`No such event in ${timeoutMs} ms: ${seen()}`))), timeoutMs)
        waiting.add(check)
        check()
      }),
    async close() {
      stopping.abort()
      await ended
    },
  }
}
