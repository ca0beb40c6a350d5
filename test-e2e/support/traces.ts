import { isDeepStrictEqual } from 'node:util'
import { registry } from '@caseway/registry'
import { eventually, type ReceivedSpan, type TraceReceiver, wayTo } from '@caseway/testing'

/** A step as a reader of a trace tells it from the others. */
export const stepOf = ({ service, kind, name }: ReceivedSpan) => `${service} ${kind} ${name}`

/** The spans of a trace that has gone this way, from its beginning, when all of them have come. */
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

/** Where a change of a person goes: through auth into the copy that another service keeps. */
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

/** Where a question about somebody goes of whom there is no copy yet. */
export const wayOfAnUnknownUser = [
  'gateway server POST /rest/tag',
  'gateway client POST',
  `${cases} server POST /expert/rest/tag`,
  `${cases} client caseway.auth.v1.PeopleService/GetUser`,
  'auth server caseway.auth.v1.PeopleService/GetUser',
  'auth client SELECT users',
]
