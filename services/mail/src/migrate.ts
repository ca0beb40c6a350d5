import { runMigrations } from '@caseway/kit/process'

await runMigrations('mail', new URL('../prisma/migrations', import.meta.url))
