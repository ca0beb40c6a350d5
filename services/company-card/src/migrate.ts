import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('company-card', new URL('../prisma/migrations', import.meta.url))
