import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '../caller/index.js'
import type { TraceContext } from './span.js'

/** The context of a request: available in all asynchronous work for it. Request id, deadline and trace are also passed on over gRPC. */
export interface RequestContext extends TraceContext {
  readonly requestId: string
  /** The IP address of the client, by `clientAddress` of kit/http; undefined for calls between services. */
  readonly address?: string
  /** In milliseconds since the epoch: calls for the request end then. */
  readonly deadline: number
  /** Set as soon as the token is verified. */
  caller?: Caller | undefined
}

const storage = new AsyncLocalStorage<RequestContext>()

/** The context of the request for which the running code works (Node, `AsyncLocalStorage`). */
export const requestContext = {
  run<T>(context: RequestContext, work: () => T): T {
    return storage.run(context, work)
  },

  /** Undefined outside of a request, such as at the start or in the relay. */
  get(): RequestContext | undefined {
    return storage.getStore()
  },
}
