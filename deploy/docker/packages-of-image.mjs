import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closureOf, placeOf } from '../../packages/install/closure.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

const isWorkspace = (place) => !place.includes('node_modules/')

/**
 * The lockfile of the production packages of a workspace, and of those workspaces that it needs.
 * @param {boolean} [bundled] without the packages that its bundle contains
 */
export function lockOf(workspace, bundled = existsSync(join(root, workspace, 'dist/bundled'))) {
  const lock = readJson('package-lock.json')
  if (bundled) leaveOut(lock, workspace)
  const closure = closureOf(lock, workspace)
  const whole = { name: lock.name, version: lock.version, private: true, type: 'module', workspaces: closure.filter(isWorkspace) }
  return { ...lock, packages: { '': whole, ...Object.fromEntries(closure.flatMap((place) => entriesOf(lock, place))) } }
}

/** The places of the packages in the bundle of a workspace; none where it has none. */
export const bundledIn = (workspace) => (existsSync(join(root, listOf(workspace))) ? readJson(listOf(workspace)).bundled : [])

const listOf = (workspace) => `${workspace}/dist/bundled/packages.json`

/** The workspaces need each other, and that which is bundled needs the packages beside its bundle. */
function leaveOut({ packages }, workspace) {
  const inProduction = new Set(closureOf({ packages }, workspace))
  for (const place of Object.keys(packages).filter(isWorkspace)) {
    const needed = Object.entries(packages[place].dependencies ?? {}).filter(([name]) => isWorkspace(placeOf({ packages }, place, name)))
    packages[place].dependencies = Object.fromEntries(needed)
  }
  for (const name of readJson(listOf(workspace)).beside) {
    const place = placeOf({ packages }, workspace, name)
    // A package may try to load one that it does not depend on, as pg does with pg-native.
    if (inProduction.has(place)) packages[workspace].dependencies[name] = packages[place].version
  }
}

/** A package, as it is in production; of a workspace also the link to it. */
function entriesOf(lock, place) {
  const { devDependencies, dev, devOptional, peer, ...entry } = lock.packages[place]
  const link = [`node_modules/${entry.name}`, { resolved: place, link: true }]
  return isWorkspace(place) ? [[place, entry], link] : [[place, entry]]
}
