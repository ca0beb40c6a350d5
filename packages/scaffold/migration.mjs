/** `npm run migration -- <service> <name>` writes the next migration of a service from its `schema.prisma` and its `src/tables.ts`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../verify/run.mjs'
import { writeMigration } from './write-migration.mjs'

const [service = '', name = ''] = process.argv.slice(2)

if (!/^[a-z0-9_]+$/.test(name) || !existsSync(join(root, 'services', service, 'prisma/schema.prisma'))) {
  console.error('Usage: npm run migration -- <service> <name>. The name has lower-case letters, digits and underscores.')
  process.exit(1)
}
console.log((await writeMigration(service, name)) ?? 'The migrations match schema.prisma and src/tables.ts.')
