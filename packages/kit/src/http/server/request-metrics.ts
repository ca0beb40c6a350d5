import type { Metrics } from '../../observability/index.js'

interface Answered {
  /** The pattern of the route, never the path. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** The methods with series of their own. Node's parser accepts some thirty more, with which anybody could create series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Returns a function that counts an answer in the metrics. Series are cached, because looking one up by its labels costs more than counting. */
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
