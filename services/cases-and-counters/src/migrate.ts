import { runMigrations } from '@caseway/kit/process'

await runMigrations('cases-and-counters', new URL('../prisma/migrations', import.meta.url))
