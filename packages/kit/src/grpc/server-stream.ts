import { once } from 'node:events'
import { type handleServerStreamingCall, type ServerWritableStream, status } from '@grpc/grpc-js'
import { statusOf } from './status.js'

/** Called once, at the end of the call: with the failed status, or null. */
type End = (failure: object | null) => void

/**
 * Makes a method with a response stream from an async generator. The generator advances only as fast as the caller reads, and is ended when the caller cancels.
 * Errors are answered as by `unary`.
 */
export function serverStream<Request, Response>(
  handler: (request: Request) => AsyncIterable<Response>,
): handleServerStreamingCall<Request, Response> {
  return async (call: ServerWritableStream<Request, Response>, end: End = endStream(call)) => {
    const cancellation = new AbortController()
    call.on('cancelled', () => cancellation.abort())
    try {
      for await (const message of handler(call.request)) {
        if (!cancellation.signal.aborted && !call.write(message)) await once(call, 'drain', { signal: cancellation.signal })
        if (cancellation.signal.aborted) break
      }
      end(cancellation.signal.aborted ? { code: status.CANCELLED } : null)
    } catch (error) {
      end(cancellation.signal.aborted ? { code: status.CANCELLED } : Object.assign(statusOf(error), { cause: error }))
    }
  }
}

/** Ends a call with a response stream. grpc-js takes a failed status from the event `error` of the stream. */
export const endStream =
  (call: Pick<ServerWritableStream<unknown, unknown>, 'cancelled' | 'emit' | 'end'>): End =>
  (failure) => {
    if (call.cancelled) return
    if (failure) call.emit('error', failure)
    else call.end()
  }
