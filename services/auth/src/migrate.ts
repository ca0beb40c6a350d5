import { runMigrations } from '@caseway/kit/process'

await runMigrations('auth', new URL('../prisma/migrations', import.meta.url))
