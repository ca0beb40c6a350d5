import type { Metrics } from '../../observability/index.js'

interface Answered {
  /** The pattern of the route, never the path. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** Node's parser knows some thirty more, and anybody outside could make a series of each. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Gives each answer its place in the metrics. The series are few, and to find one by its labels costs more than to count in it. */
export function answerCounter({ httpRequestDuration, httpRequests }: Metrics): (answered: Answered) => void {
  const durations = remembered((route, method) => httpRequestDuration.labels({ route, method }))
  const counts = remembered((route, method, statusClass) => httpRequests.labels({ route, method, status: `${statusClass}xx` }))
  return ({ route, status, seconds, ...request }) => {
    const method = methods.has(request.method) ? request.method : 'other'
    durations(route, method).observe(seconds)
    counts(route, method, Math.floor(status / 100)).inc()
  }
}

function remembered<Series>(find: (route: string, method: string, statusClass: number) => Series) {
  const known = new Map<string, Series>()
  return (route: string, method: string, statusClass = 0): Series => {
    const key = `${method} ${statusClass} ${route}`
    const series = known.get(key) ?? find(route, method, statusClass)
    known.set(key, series)
    return series
  }
}
