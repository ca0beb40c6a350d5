/** The internal request queue of a connection in kafkajs 2.2.4, as far as `stopIdlePolling` uses it. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  export interface RequestQueue {
    readonly inflight: ReadonlyMap<number, { sentAt: number; requestTimeout: number; timeoutRequest(): void }>
    readonly pending: readonly unknown[]
    requestTimeoutIntervalId?: NodeJS.Timeout
    isConnected(): boolean
    destroy(): void
    scheduleCheckPendingRequests(): void
    scheduleRequestTimeoutCheck(): void
  }

  const requestQueue: { readonly prototype: RequestQueue }
  export default requestQueue
}
