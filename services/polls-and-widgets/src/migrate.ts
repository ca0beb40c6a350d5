import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('polls-and-widgets', new URL('../prisma/migrations', import.meta.url))
