import type { handleUnaryCall } from '@grpc/grpc-js'
import { statusOf } from './status.js'

/**
 * Makes a unary method from an async function. The caller receives an AppError as it was thrown, and any other error as INTERNAL without details.
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
