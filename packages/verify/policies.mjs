/**
 * `npm run policies -- <service>` prints the statements by which the migrations of a service fall short of its `src/tables.ts`; with
 * `--write` they become a new migration.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(root, 'services', service, 'prisma/migrations', `${time}_table_rules`)
  await mkdir(folder)
  await writeFile(join(folder, 'migration.sql'), `-- Written by \`npm run policies\` from src/tables.ts.\n${statements.join('\n')}\n`)
  console.log(folder)
} else console.log(statements.join('\n'))
