import type pg from 'pg'

/** What the kit and Prisma's adapter send. */
export type Statement = pg.QueryConfig<unknown[]>
