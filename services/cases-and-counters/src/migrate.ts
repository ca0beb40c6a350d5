import { runMigrations } from '@caseway/kit/process'

await runMigrations('CASES_AND_COUNTERS', 'cases-and-counters', new URL('../prisma/migrations', import.meta.url))
