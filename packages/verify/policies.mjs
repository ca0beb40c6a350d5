/**
 * `npm run policies -- <service>` prints the statements that the migrations of a service lack, compared with its `src/tables.ts`; with `--write` it
 * writes them as a new migration.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addMigration } from './migrations.mjs'
import { missingPolicies } from './missing-policies.mjs'
import { root } from './run.mjs'
import { throwAwayServer } from './throw-away-server.mjs'

const [service = '', ...options] = process.argv.slice(2)

async function missing() {
  const server = await throwAwayServer()
  try {
    return await missingPolicies(service, server.url('postgres'))
  } finally {
    await server.stop()
  }
}

if (!service || !existsSync(join(root, 'services', service, 'dist/tables.js'))) {
  console.error('Usage: npm run policies -- <service> [--write]. The service declares its tables in src/tables.ts.')
  process.exit(1)
}
const statements = await missing()
if (statements.length === 0) console.log('The migrations say what src/tables.ts says.')
else if (options.includes('--write')) {
  const sql = `-- Written by \`npm run policies\` from src/tables.ts.\n${statements.join('\n')}\n`
  console.log(await addMigration(service, 'table_rules', sql))
} else console.log(statements.join('\n'))
