import { runMigrations } from '@caseway/kit/process'

await runMigrations('files', new URL('../prisma/migrations', import.meta.url))
