import type { handleUnaryCall } from '@grpc/grpc-js'
import { statusOf } from './status.js'

/**
 * One method of a service, written as an async function. An AppError reaches the caller as it was thrown; of any other error they learn
 * only that there was one.
 */
export function unary<Request, Response>(handler: (request: Request) => Promise<Response> | Response): handleUnaryCall<Request, Response> {
  return async (call, callback) => {
    try {
      callback(null, await handler(call.request))
    } catch (error) {
      callback(Object.assign(statusOf(error), { cause: error }))
    }
  }
}
