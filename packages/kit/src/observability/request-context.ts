import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '../caller/index.js'
import type { TraceContext } from './span.js'

/** What follows a request through every await of its work, and over gRPC into the next service. */
export interface RequestContext extends TraceContext {
  readonly requestId: string
  /** The IP address of the client, as `clientAddress` of kit/http gives it; undefined for calls between services. */
  readonly address?: string
  /** When the answer stops being of use, in milliseconds since the epoch. */
  readonly deadline: number
  /** Set by the edge as soon as the token is verified. */
  caller?: Caller | undefined
}

const storage = new AsyncLocalStorage<RequestContext>()

/** The request that the running code works for. */
export const requestContext = {
  run<T>(context: RequestContext, work: () => T): T {
    return storage.run(context, work)
  },

  /** Undefined outside of a request: at start, in the relay, in a consumer. */
  get(): RequestContext | undefined {
    return storage.getStore()
  },
}
