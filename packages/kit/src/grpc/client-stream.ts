import type { handleClientStreamingCall } from '@grpc/grpc-js'
import { statusOf } from './status.js'

/**
 * One method of a service that is asked with a stream, written as an async function over its messages. The caller sends only as fast as they are
 * read. `left` is aborted when the caller leaves, or their time is over. Their messages may only end then (Node.js ends a stream that is reset
 * before it says so): where a part of them must have no effect, they say themselves which one is the last. Errors as those of `unary`.
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
