import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closureOf, placeOf } from '../../packages/install/closure.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

const isWorkspace = (place) => !place.includes('node_modules/')

/**
 * The lockfile of the production packages of a workspace and of the workspaces on which it depends.
 * @param {string[] | false} [beside] the only packages that a bundle needs beside it; false where all packages are needed
 */
export function lockOf(workspace, beside = bundleOf(workspace)?.beside ?? false) {
  const lock = readJson('package-lock.json')
  if (beside) leaveOut(lock, workspace, beside)
  const closure = closureOf(lock, workspace)
  const whole = { name: lock.name, version: lock.version, private: true, type: 'module', workspaces: closure.filter(isWorkspace) }
  return { ...lock, packages: { '': whole, ...Object.fromEntries(closure.flatMap((place) => entriesOf(lock, place))) } }
}

/** The lockfile paths of the packages in the bundle of a workspace; empty without a bundle. */
export const bundledIn = (workspace) => bundleOf(workspace)?.bundled ?? []

function bundleOf(workspace) {
  const list = `${workspace}/dist/bundled/packages.json`
  return existsSync(join(root, list)) ? readJson(list) : undefined
}

/**
 * Removes the dependencies that are bundled: workspaces keep only each other and the packages that stay beside the bundle, which the migrations import
 * from each workspace. The bundled workspace gets all of these packages.
 */
function leaveOut({ packages }, workspace, beside) {
  const inProduction = new Set(closureOf({ packages }, workspace))
  for (const place of Object.keys(packages).filter(isWorkspace)) {
    const isNeeded = ([name]) => beside.includes(name) || isWorkspace(placeOf({ packages }, place, name))
    packages[place].dependencies = Object.fromEntries(Object.entries(packages[place].dependencies ?? {}).filter(isNeeded))
  }
  for (const name of beside) {
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
