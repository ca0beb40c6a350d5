/**
 * `npm run policies -- <service>` prints the statements by which the migrations of a service fall short of its `src/tables.ts`; with
 * `--write` they become a new migration.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '@caseway/kit/database'
import { missingStatements } from '@caseway/kit/tables'
import { root } from './run.mjs'
import { throwAwayServer } from './throw-away-server.mjs'

const [service = '', ...options] = process.argv.slice(2)
const migrations = join(root, 'services', service, 'prisma/migrations')

async function missing(tables) {
  const server = await throwAwayServer()
  try {
    const servicePassword = randomBytes(12).toString('hex')
    await migrate({ ownerUrl: server.url('postgres'), serviceRole: service, servicePassword, dir: migrations })
    return await missingStatements(server.url('postgres'), tables)
  } finally {
    await server.stop()
  }
}

const declaration = join(root, 'services', service, 'dist/tables.js')
if (!service || !existsSync(declaration)) {
  console.error('Usage: npm run policies -- <service> [--write]. The service declares its tables in src/tables.ts.')
  process.exit(1)
}
const { tables } = await import(declaration)
const statements = await missing(tables)
if (statements.length === 0) console.log('The migrations say what src/tables.ts says.')
else if (options.includes('--write')) {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(migrations, `${time}_table_rules`)
  await mkdir(folder)
  await writeFile(join(folder, 'migration.sql'), `-- Written by \`npm run policies\` from src/tables.ts.\n${statements.join('\n')}\n`)
  console.log(folder)
} else console.log(statements.join('\n'))
