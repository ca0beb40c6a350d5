import { type RawBuilder, sql } from '@caseway/kit/database'

/**
 * SQL: the moment at which a day begins in a time zone, as one second after the last second of the day before. Where clocks go back at midnight, as in the
 * Azores, midnight occurs twice, and PostgreSQL would choose the later one.
 * @param day an expression of a timestamp without time zone, at midnight
 */
export const dayStart = (day: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`((${day} - interval '1 second') AT TIME ZONE ${zone} + interval '1 second')`
