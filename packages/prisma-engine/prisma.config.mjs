import { basename, resolve } from 'node:path'
import { defineConfig } from 'prisma/config'

/** All services have the same folders for schema and migrations, and a database URL variable that begins with their name. */
const service = basename(process.cwd())
const variable = `${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`

export default defineConfig({
  schema: resolve('prisma/schema.prisma'),
  migrations: { path: resolve('prisma/migrations') },
  datasource: { url: process.env[variable] ?? `postgresql://postgres@127.0.0.1:5432/${service}` },
})
