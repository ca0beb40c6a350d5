import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('mail', new URL('../prisma/migrations', import.meta.url))
