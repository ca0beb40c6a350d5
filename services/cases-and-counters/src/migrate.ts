import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('cases-and-counters', new URL('../prisma/migrations', import.meta.url))
