import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('partner', new URL('../prisma/migrations', import.meta.url))
