import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closureOf, placeOf } from '../../packages/install/closure.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

const isWorkspace = (place) => !place.includes('node_modules/')

/**
 * The lockfile of the production packages of a workspace and of the workspaces on which it depends.
 * @param {boolean} [bundled] omit the packages that are in the bundle
 */
export function lockOf(workspace, bundled = existsSync(join(root, workspace, 'dist/bundled'))) {
  const lock = readJson('package-lock.json')
  if (bundled) leaveOut(lock, workspace)
  const closure = closureOf(lock, workspace)
  const whole = { name: lock.name, version: lock.version, private: true, type: 'module', workspaces: closure.filter(isWorkspace) }
  return { ...lock, packages: { '': whole, ...Object.fromEntries(closure.flatMap((place) => entriesOf(lock, place))) } }
}

/** The lockfile paths of the packages in the bundle of a workspace; empty without a bundle. */
export const bundledIn = (workspace) => (existsSync(join(root, listOf(workspace))) ? readJson(listOf(workspace)).bundled : [])

const listOf = (workspace) => `${workspace}/dist/bundled/packages.json`

/** Removes the dependencies that are bundled: workspaces keep only each other, and the bundled one the packages that stay beside its bundle. */
function leaveOut({ packages }, workspace) {
  const inProduction = new Set(closureOf({ packages }, workspace))
  for (const place of Object.keys(packages).filter(isWorkspace)) {
    const needed = Object.entries(packages[place].dependencies ?? {}).filter(([name]) => isWorkspace(placeOf({ packages }, place, name)))
    packages[place].dependencies = Object.fromEntries(needed)
  }
  for (const name of readJson(listOf(workspace)).beside) {
    const place = placeOf({ packages }, workspace, name)
    // A package may try to load an undeclared one, as pg does with pg-native.
    if (inProduction.has(place)) packages[workspace].dependencies[name] = packages[place].version
  }
}

/** The lockfile entries of a production package; for a workspace also its link. */
function entriesOf(lock, place) {
  const { devDependencies, dev, devOptional, peer, ...entry } = lock.packages[place]
  const link = [`node_modules/${entry.name}`, { resolved: place, link: true }]
  return isWorkspace(place) ? [[place, entry], link] : [[place, entry]]
}
