import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const columns = {
  expert: ['administrator', 'expert', 'specialist', 'trainee', 'technical'],
  client: ['client'],
}
const usual = { expert: columns.expert.slice(0, -1), client: columns.client }
const titles = { expert: 'On the address for experts', client: 'On the address for clients' }

/**
 * The table of who may call which route, from the routes that the services wire.
 * @throws Error when a service is not built
 */
export async function rolesOf(folders) {
  const routes = []
  // Sequential, because while one service is imported, the plugin time-out of Fastify would run for another.
  for (const folder of folders) routes.push(...(await routesOf(folder)))
  return Object.keys(columns)
    .map((audience) => `### ${titles[audience]}\n\n${table(audience, routes)}`)
    .join('\n\n')
}

function table(audience, routes) {
  const names = columns[audience]
  const rows = routes
    .filter((route) => route.audience === audience)
    .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
    .map(({ method, path, roles, right }) => [
      `\`${method} ${path}\``,
      ...names.map((name) => mark(roles, name)),
      right ? `\`${right}\`` : '',
    ])
  const lines = [['Route', ...names, 'right'], ['---', ...names.map(() => ':-:'), '---'], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const mark = (roles, name) => (roles === 'everybody' ? 'public' : roles.includes(name) ? '✓' : '–')

/** Registers the routes of a service at an app that never listens, with a database that is never queried. */
async function routesOf(folder) {
  const built = join(folder, 'dist', 'wiring.js')
  if (!existsSync(built)) throw new Error(`${basename(folder)} is not built: npm run build`)
  const service = Object.values(await import(pathToFileURL(built).href)).find(({ open }) => open !== undefined)
  // Imported here, because the other checks run before anything is built.
  const { createHttpApp } = await import('@caseway/kit/http')
  const { createLog, createMetrics } = await import('@caseway/kit/observability')
  const { name } = service
  const opened = await service.open(await variablesOf(name))
  const app = createHttpApp({
    ...{ name, log: createLog({ service: name, level: 'silent' }), metrics: createMetrics(name), urls: { expert: '', client: '' } },
    ...{ verifier: {}, timeZones: {}, idempotency: {}, hasRight: () => true, routes: opened.routes },
  })
  const found = []
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const [, audience, path] = /^\/(expert|client)(\/.+)$/.exec(url) ?? []
    if (!audience || ['HEAD', 'OPTIONS'].includes(method) || schema?.hide) return
    const isPublic = config?.public || !path.startsWith('/rest/')
    found.push({ audience, method, path, roles: config?.roles ?? (isPublic ? 'everybody' : usual[audience]), right: config?.right })
  })
  await app.ready()
  await app.close()
  await opened.close()
  return found
}

/** Variables for wiring a service: addresses without a listener, and dummy secrets. */
async function variablesOf(name) {
  const { databaseUrlVariable, variableOf } = await import('@caseway/registry')
  return {
    [databaseUrlVariable(name)]: 'postgresql://nobody@127.0.0.1:1/nothing',
    [variableOf(name, 'SECRET')]: Buffer.alloc(32).toString('base64'),
    TOKEN_ISSUER: 'nobody',
  }
}
