import { runMigrations } from '@caseway/kit/process'

await runMigrations('AUTH', 'auth', new URL('../prisma/migrations', import.meta.url))
