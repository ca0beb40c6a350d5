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
 * Who may call which route, from the routes that each service wires.
 * @throws when a service is not built
 */
export async function rolesOf(folders) {
  const routes = (await Promise.all(folders.map(routesOf))).flat()
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

/** Adds the routes of a service to an app that never listens. What they would call is not there, and is not called. */
async function routesOf(folder) {
  const built = join(folder, 'dist', 'wiring.js')
  if (!existsSync(built)) throw new Error(`${basename(folder)} is not built: npm run build`)
  const { wire } = await import(pathToFileURL(built).href)
  // Only here, so that the other checks run before anything is built.
  const { createHttpApp } = await import('@caseway/kit/http')
  const { createLog, createMetrics } = await import('@caseway/kit/observability')
  const name = basename(folder)
  const app = createHttpApp({
    ...{ name, log: createLog({ service: name, level: 'silent' }), metrics: createMetrics(name), urls: { expert: '', client: '' } },
    ...{
      verifier: nothing,
      timeZones: nothing,
      idempotency: nothing,
      hasRight: nothing,
      routes: wire(...Array(wire.length).fill(nothing)).routes,
    },
  })
  const found = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const [, audience, path] = /^\/(expert|client)(\/rest\/.*)$/.exec(url) ?? []
    if (!audience || method === 'HEAD') return
    found.push({ audience, method, path, roles: config?.roles ?? (config?.public ? 'everybody' : usual[audience]), right: config?.right })
  })
  await app.ready()
  await app.close()
  return found
}

/** Stands for whatever a service is wired with: has every property, and does nothing when it is called. */
const nothing = new Proxy(function nothing() {}, {
  get: (_, property) => (property === 'then' ? undefined : property === Symbol.iterator ? [][Symbol.iterator].bind([]) : nothing),
  apply: () => nothing,
})
