import { LRUCache } from 'lru-cache'
import { formatTime } from './time.js'

const hours = new LRUCache<string, typeof latest>({ max: 20_000 })
const quarters = ['00', '15', '30', '45']

const inUtc = (text: string) => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)

/** The local hour in `zone` of the UTC hour `hour` (`2026-11-21 08`); '' where the UTC hour is not exactly one local hour. */
function localHour(hour: string, zone: string): string {
  const starts = quarters.map((minute) => [minute, formatTime(inUtc(`${hour}:${minute}:00+00`), zone)] as const)
  const [, first] = starts[0] as (typeof starts)[number]
  const local = first.slice(0, 13)
  return hour >= quartersSince && starts.every(([minute, start]) => start === `${local}:${minute}:00`) ? local : ''
}

/** Since this year every change of an offset falls on a full quarter of an hour; see `zoneOffset`. */
const quartersSince = '2012'

/**
 * `formatTime` of a timestamp in PostgreSQL's text format, `2026-11-21 08:30:00.123456+00`, with a year of four digits. The local hour of each UTC hour is
 * cached, and minutes and seconds are copied.
 */
export function formatStoredTime(text: string, zone: string): string {
  if (zone !== latest.zone || !text.startsWith(latest.hour)) latest = knownHour(text.slice(0, 13), zone)
  const { local } = latest
  return local === '' ? formatTime(inUtc(text), zone) : local + text.slice(13, 19)
}

/** The last result: `created` and `modified`, and neighbouring records, often fall in the same hour. */
let latest = { zone: '', hour: '', local: '' }

function knownHour(hour: string, zone: string): typeof latest {
  const key = `${zone} ${hour}`
  const known = hours.get(key) ?? { zone, hour, local: localHour(hour, zone) }
  hours.set(key, known)
  return known
}
