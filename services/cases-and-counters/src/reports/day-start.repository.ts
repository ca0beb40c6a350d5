import { type RawBuilder, sql } from '@caseway/kit/database'

/**
 * The moment at which a day begins by the clocks of a zone: a second after the last one of the day before. Midnight itself may come twice in a night in
 * which clocks go back, as in the Azores, and PostgreSQL takes the later one.
 * @param day an expression of a timestamp without time zone, at midnight
 */
export const dayStart = (day: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`((${day} - interval '1 second') AT TIME ZONE ${zone} + interval '1 second')`
