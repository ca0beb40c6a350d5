import { camel, type Resource } from '../../resource/index.js'
import type { ReadBody } from './body.js'

type Values = ReadBody['values']

/**
 * Keeps the stored time where a change sends a time exactly as the record shows it. The text has no fraction of a second, and is ambiguous in the hour that is
 * repeated when clocks are set back, so that a record which is sent back unchanged would otherwise get another time.
 */
export function timesAsShown({ update }: Pick<Resource, 'update'>) {
  const times = Object.entries(update)
    .filter(([, { sql }]) => sql === 'timestamptz')
    .map(([wire, { encode }]) => ({ wire, name: camel(wire), encode }))

  /** @param stored reads the record; called only where a time was sent */
  return async ({ values, sent }: ReadBody, zone: string, stored: () => Promise<object>): Promise<Values> => {
    const named = times.filter(({ name }) => values[name] instanceof Date)
    if (named.length === 0) return values
    const record = (await stored()) as Values
    const unchanged = named.filter(({ wire, name, encode }) => {
      const time = record[name]
      return time instanceof Date && encode(time, zone) === sent[wire]
    })
    return { ...values, ...Object.fromEntries(unchanged.map(({ name }) => [name, record[name]])) }
  }
}
