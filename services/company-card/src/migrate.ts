import { runMigrations } from '@caseway/kit/process'

await runMigrations('company-card', new URL('../prisma/migrations', import.meta.url))
