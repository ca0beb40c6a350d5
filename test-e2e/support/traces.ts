import { isDeepStrictEqual } from 'node:util'
import { registry } from '@caseway/registry'
import { eventually, type ReceivedSpan, type TraceReceiver, wayTo } from '@caseway/testing'

/** The name of a span in the tests: service, kind and name. */
export const stepOf = ({ service, kind, name }: ReceivedSpan) => `${service} ${kind} ${name}`

/** Waits for a trace with these steps; returns their spans from the root. */
export const gone = ({ spans }: TraceReceiver, way: readonly string[]): Promise<ReceivedSpan[]> =>
  eventually(
    () => {
      const ends = spans.filter((span) => stepOf(span) === way.at(-1))
      const ways = ends.flatMap((end) => [wayTo(end, spans) ?? []])
      const found = ways.find((steps) => isDeepStrictEqual(steps.map(stepOf), way))
      if (!found)
        throw new Error(`No trace has gone this way: ${way.join(' > ')}. There are ${[...new Set(spans.map(stepOf))].join(', ')}.`)
      return found
    },
    { timeoutMs: 20_000, everyMs: 100 },
  )

const cases = registry.casesAndCounters.name

/** The steps of a change of a user: through auth into the copy of another service. */
export const wayOfAChangedUser = [
  'gateway server PUT /rest/user/*',
  'gateway client PUT',
  'auth server PUT /expert/rest/user/:id',
  'auth internal transaction',
  'auth producer send auth.user.v1',
  `${cases} consumer process auth.user.v1`,
  `${cases} internal transaction`,
  `${cases} client INSERT users`,
]

/** The steps of a lookup of a user who is not in the copy yet. */
export const wayOfAnUnknownUser = [
  'gateway server POST /rest/tag',
  'gateway client POST',
  `${cases} server POST /expert/rest/tag`,
  `${cases} client caseway.auth.v1.PeopleService/GetUser`,
  'auth server caseway.auth.v1.PeopleService/GetUser',
  'auth client SELECT users',
]
