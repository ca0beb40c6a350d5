import { runMigrations } from '@caseway/kit/process'

await runMigrations('partner', new URL('../prisma/migrations', import.meta.url))
