import { camel, type Resource } from '../../resource/index.js'
import type { ReadBody } from './body.js'

type Values = ReadBody['values']

/**
 * The values of a change, where a time that is sent as the record shows it is the record's own. Of the two hours that an autumn night has, a wall
 * clock means the first, and it shows no fraction of a second: without this, a record that is sent back as it was read would move.
 */
export function timesAsShown({ update }: Pick<Resource, 'update'>) {
  const times = Object.entries(update)
    .filter(([, { sql }]) => sql === 'timestamptz')
    .map(([wire, { encode }]) => ({ wire, name: camel(wire), encode }))

  /** @param stored reads the record; asked for only where a time is sent */
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
