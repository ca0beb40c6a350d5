import { ApiError, request } from './api.js'
import { backoffMs, pause } from './backoff.js'
import { createParser } from './modules/eventsource-parser/index.js'
import { SessionOver } from './session.js'

/** The server sends a heartbeat every 15 s; a connection that is silent for longer than this is treated as lost. */
const silenceMs = 40_000

/** @typedef {'connecting' | 'live' | 'reconnecting'} Connection */

/**
 * @typedef {object} Listener
 * @property {() => void} onBegin the stream tells what changes from now on, and nothing of what changed before
 * @property {(event: string, data: unknown) => void} onEvent
 * @property {(connection: Connection) => void} onConnection
 */

/**
 * Follows the live stream until `signal` is aborted, and resumes after every disconnect at the last event (Server-Sent Events, HTML Standard 9.2).
 * The browser's EventSource is not used, because it cannot send a token.
 * @param {import('./session.js').Session} session
 * @param {Listener} listener
 * @param {AbortSignal} signal
 * @throws {SessionOver}
 */
export async function followStream(session, { onBegin, onEvent, onConnection }, signal) {
  let lastEventId = ''
  let failures = 0
  /** @type {string | undefined} */
  let refused
  onConnection('connecting')
  while (!signal.aborted) {
    let retryAfterMs = 0
    let token
    try {
      token = await session.token({ unlike: refused })
      refused = undefined
      await readStream({
        ...{ token, lastEventId, signal },
        onOpen() {
          failures = 0
          onConnection('live')
          if (lastEventId === '') onBegin()
        },
        onMessage({ id, event = 'message', data }) {
          onEvent(event, JSON.parse(data))
          if (id !== undefined) lastEventId = id
        },
      })
    } catch (error) {
      if (error instanceof SessionOver) throw error
      if (error instanceof ApiError && error.status === 401) refused = token
      if (error instanceof ApiError) retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
    }
    if (signal.aborted) return
    onConnection('reconnecting')
    await pause(Math.max(retryAfterMs, backoffMs(++failures)), signal)
  }
}

/**
 * One connection, until either side ends it.
 * @param {object} options
 * @param {string} options.token
 * @param {string} options.lastEventId
 * @param {AbortSignal} options.signal
 * @param {() => void} options.onOpen
 * @param {(message: import('./modules/eventsource-parser/index.js').EventSourceMessage) => void} options.onMessage
 */
async function readStream({ token, lastEventId, signal, onOpen, onMessage }) {
  const cut = new AbortController()
  const watch = watchSilence(() => cut.abort())
  addEventListener('offline', () => cut.abort(), { signal: cut.signal })
  try {
    const response = await request('rest/event/stream', {
      ...{ token, cache: 'no-store', signal: AbortSignal.any([signal, cut.signal]) },
      headers: lastEventId ? { 'last-event-id': lastEventId } : {},
    })
    onOpen()
    const parser = createParser({ onEvent: onMessage })
    const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      watch.heard()
      parser.feed(chunk.value)
    }
  } finally {
    watch.stop()
    cut.abort()
  }
}

/** @param {() => void} onSilence */
function watchSilence(onSilence) {
  const start = () => setTimeout(onSilence, silenceMs)
  let timer = start()
  return {
    heard() {
      clearTimeout(timer)
      timer = start()
    },
    stop: () => clearTimeout(timer),
  }
}
