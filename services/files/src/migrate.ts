import { runMigrations } from '@caseway/kit/migrations'

await runMigrations('files', new URL('../prisma/migrations', import.meta.url))
