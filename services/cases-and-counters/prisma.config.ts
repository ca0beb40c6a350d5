import { defineConfig } from 'prisma/config'

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.CASES_AND_COUNTERS_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/cases-and-counters' },
})
