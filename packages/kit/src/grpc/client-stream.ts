import type { handleClientStreamingCall } from '@grpc/grpc-js'
import { statusOf } from './status.js'

/**
 * One method of a service with a request stream, written as an async function over its messages. The caller sends only as fast as they are read. `left` is
 * aborted when the caller cancels the call, or its deadline is over. The iteration may then simply end (Node.js ends a stream that was reset before it
 * reports the reset), so where a truncated stream must have no effect, its last message has to say that it is the last. Errors are those of `unary`.
 */
export function clientStream<Request, Response>(
  handler: (requests: AsyncIterable<Request>, left: AbortSignal) => Promise<Response>,
): handleClientStreamingCall<Request, Response> {
  return async (call, callback) => {
    const left = new AbortController()
    call.on('cancelled', () => {
      left.abort()
      call.destroy(new Error('The caller has left.'))
    })
    call.on('error', () => undefined)
    try {
      callback(null, await handler(call, left.signal))
    } catch (error) {
      callback(Object.assign(statusOf(error), { cause: error }))
    }
  }
}
