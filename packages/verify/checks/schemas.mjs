import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../run.mjs'
import { throwAwayServer } from '../throw-away-server.mjs'

/** Prisma's exit codes of `migrate diff --exit-code`. */
const same = 0
const different = 2

/**
 * Every service's migrations lead to its schema.prisma. Only PostgreSQL knows what its SQL leads to, so one is started for the
 * moment, from its npm package.
 */
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
  const url = { [`${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`]: server.url('postgres') }
  const from = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma', '--exit-code']
  const { code, stdout, stderr } = await run('prisma-local', ['migrate', 'diff', ...from], {
    cwd: join(root, 'services', service),
    env: url,
  })
  if (code === same) return []
  const said = (code === different ? stdout : stderr).split('\n').filter((line) => line.trim())
  return [`services/${service}: the migrations do not lead to schema.prisma:`, ...said.map((line) => `  ${line}`)]
}
