import type { Metrics } from '../observability/index.js'

interface Answered {
  /** The pattern of the route, never the path. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** Node's parser knows some thirty more, and anybody outside could make a series of each. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** An answer's place in the metrics. */
export function countAnswer({ httpRequestDuration, httpRequests }: Metrics, { route, status, seconds, ...request }: Answered): void {
  const method = methods.has(request.method) ? request.method : 'other'
  httpRequestDuration.observe({ route, method }, seconds)
  httpRequests.inc({ route, method, status })
}
