import type { handleClientStreamingCall } from '@grpc/grpc-js'
import { statusOf } from './status.js'

/**
 * Makes a method with a request stream from an async function over its messages. Flow control slows the caller down to the speed at which they are read.
 * `cancelled` is aborted when the caller cancels the call or its deadline passes. The iteration may then end without an error (Node.js ends a reset stream
 * before it reports the reset), so where a truncated stream must have no effect, the last message has to say that it is the last. Errors are answered as by
 * `unary`.
 */
export function clientStream<Request, Response>(
  handler: (requests: AsyncIterable<Request>, cancelled: AbortSignal) => Promise<Response>,
): handleClientStreamingCall<Request, Response> {
  return async (call, callback) => {
    const cancellation = new AbortController()
    call.on('cancelled', () => {
      cancellation.abort()
      call.destroy(new Error('The caller has cancelled the call.'))
    })
    call.on('error', () => undefined)
    try {
      callback(null, await handler(call, cancellation.signal))
    } catch (error) {
      callback(Object.assign(statusOf(error), { cause: error }))
    }
  }
}
