import pg from 'pg'

/** As many connections as a copy of a service has. */
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_MAX) })
