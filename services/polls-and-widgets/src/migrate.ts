import { runMigrations } from '@caseway/kit/process'

await runMigrations('polls-and-widgets', new URL('../prisma/migrations', import.meta.url))
