import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '@caseway/kit/migrations'
import { missingStatements } from '@caseway/kit/tables'
import { root } from './run.mjs'

/**
 * The statements that the migrations of a service lack, compared with its built `src/tables.ts`.
 * @param ownerUrl an empty database, in which the migrations are applied
 */
export async function missingPolicies(service, ownerUrl) {
  const folder = join(root, 'services', service)
  const { tables } = await import(join(folder, 'dist/tables.js'))
  const servicePassword = randomBytes(12).toString('hex')
  await migrate({ ownerUrl, serviceRole: service, servicePassword, dir: join(folder, 'prisma/migrations') })
  return missingStatements(ownerUrl, tables)
}
