import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { schemaDiff } from '../migrations.mjs'
import { root } from '../run.mjs'
import { throwAwayServer } from '../throw-away-server.mjs'

/** Checks that the migrations of every service lead to its schema.prisma. A PostgreSQL from the npm package is started to apply them. */
export async function schemas() {
  const names = await readdir(join(root, 'services'))
  const services = names.filter((name) => existsSync(join(root, 'services', name, 'prisma', 'schema.prisma')))
  if (services.length === 0) return { problems: [], skipped: 'no service has a schema yet' }
  const server = await throwAwayServer()
  try {
    const problems = await Promise.all(services.map((service) => drift(service, server)))
    return { problems: problems.flat() }
  } finally {
    await server.stop()
  }
}

async function drift(service, server) {
  const said = await schemaDiff(service, server).catch((error) => error.message)
  const lines = said.split('\n').filter((line) => line.trim())
  return said === '' ? [] : [`services/${service}: the migrations do not lead to schema.prisma:`, ...lines.map((line) => `  ${line}`)]
}
