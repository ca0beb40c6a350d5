import { basename, resolve } from 'node:path'
import { defineConfig } from 'prisma/config'

/** Every service has its schema and its migrations in the same place, and its database is named in a variable that begins with its name. */
const service = basename(process.cwd())
const variable = `${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`

export default defineConfig({
  schema: resolve('prisma/schema.prisma'),
  migrations: { path: resolve('prisma/migrations') },
  datasource: { url: process.env[variable] ?? `postgresql://postgres@127.0.0.1:5432/${service}` },
})
