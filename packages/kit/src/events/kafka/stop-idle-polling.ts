/// <reference path="./kafkajs-request-queue.d.ts" />
import queue, { type RequestQueue } from 'kafkajs/src/network/requestQueue/index.js'

/** How often requests are checked for a timeout: their timeouts are several seconds. */
const timeoutCheckMs = 1_000

/**
 * Patches kafkajs so that idle connections cause no load. Without it every connection polls each millisecond for requests that wait to be sent, even if there
 * are none (https://github.com/tulios/kafkajs/issues/1704, open since 2024), and every 100 milliseconds for timeouts: together 3 % of a core in each
 * process.
 */
export function stopIdlePolling(): void {
  const { prototype } = queue
  if (Object.hasOwn(prototype, patched)) return
  const { scheduleCheckPendingRequests } = prototype
  Object.assign(prototype, {
    [patched]: true,

    scheduleCheckPendingRequests(this: RequestQueue): void {
      if (this.pending.length > 0) scheduleCheckPendingRequests.call(this)
    },

    scheduleRequestTimeoutCheck(this: RequestQueue): void {
      this.destroy()
      const check = () => {
        const now = Date.now()
        for (const request of this.inflight.values()) if (now - request.sentAt > request.requestTimeout) request.timeoutRequest()
        if (!this.isConnected()) this.destroy()
      }
      this.requestTimeoutIntervalId = setInterval(check, timeoutCheckMs)
    },
  })
}

const patched = Symbol('patched')
