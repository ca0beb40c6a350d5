import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('auth', new URL('../prisma/migrations', import.meta.url))
