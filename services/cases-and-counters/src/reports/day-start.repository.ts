import { type RawBuilder, sql } from '@caseway/kit/database'

/**
 * SQL: the moment at which a day begins in a time zone, as midnight, or as one second after the last second of the day before if that is earlier. PostgreSQL
 * chooses the later of two midnights, as in the Azores, where clocks go back at one o'clock. Where clocks go forward at 23:00, as in Greenland, the day before
 * has no last second, and PostgreSQL would move it into the day.
 * @param day an expression of a timestamp without time zone, at midnight
 */
export const dayStart = (day: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`least(${day} AT TIME ZONE ${zone}, (${day} - interval '1 second') AT TIME ZONE ${zone} + interval '1 second')`
