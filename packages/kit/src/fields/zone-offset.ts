import { LRUCache } from 'lru-cache'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The formatter of a zone, which is cached: creating one costs more than a hundred uses. The Swedish locale formats as in ISO 8601. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formatters.set(zone, formatter)
  }
  return formatter
}

const secondMs = 1_000
const quarterMs = 900_000

/** Since this time every change of an offset falls on a full quarter of an hour. Labrador was the last zone to change at 00:01. */
const quartersSince = Date.UTC(2012, 0)

const offsets = new LRUCache<string, number>({ max: 20_000 })

const measure = (ms: number, zone: string): number => {
  const second = Math.floor(ms / secondMs) * secondMs
  return Date.parse(`${formatterOf(zone).format(second).replace(' ', 'T')}Z`) - second
}

/** The offset of `zone` (IANA name) from UTC in milliseconds, positive to the east. @param ms milliseconds since the epoch */
export function zoneOffset(ms: number, zone: string): number {
  if (ms < quartersSince) return measure(ms, zone)
  const quarter = Math.floor(ms / quarterMs)
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const offset = measure(quarter * quarterMs, zone)
  offsets.set(key, offset)
  return offset
}
