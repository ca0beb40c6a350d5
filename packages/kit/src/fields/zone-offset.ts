import { LRUCache } from 'lru-cache'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** One formatter for each zone: making one costs more than a hundred uses. Swedish is the locale whose format is that of ISO 8601. */
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

/** Since then every zone has changed its clocks at a full quarter of an hour. Labrador was the last one that did so at 00:01. */
const quartersSince = Date.UTC(2012, 0)

const offsets = new LRUCache<string, number>({ max: 20_000 })

const measure = (ms: number, zone: string): number => {
  const second = Math.floor(ms / secondMs) * secondMs
  return Date.parse(`${formatterOf(zone).format(second).replace(' ', 'T')}Z`) - second
}

/** By how many milliseconds the clocks of `zone` (IANA name) are ahead of UTC at the moment `ms`. */
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
