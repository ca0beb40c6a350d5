import { dirname } from 'node:path'

/**
 * The paths in a lockfile of all packages that the workspace `start` needs at run time: dependencies, installed optional dependencies, and required
 * peers.
 * @throws Error when the lockfile lacks one
 */
export function closureOf(lock, start) {
  const found = new Set([start])
  // The iteration includes elements that are added meanwhile.
  for (const place of found) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = lock.packages[place]
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    for (const name of new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers])) {
      const target = placeOf(lock, place, name)
      if (target) found.add(target)
      else if (!(name in optionalDependencies)) throw new Error(`The lockfile lacks ${name}, which ${place} needs.`)
    }
  }
  return [...found].sort()
}

/** Resolves a package as Node does, beginning at `place`; a link resolves to its workspace. @returns undefined when the lockfile lacks it */
export function placeOf(lock, place, name) {
  for (let at = place; ; at = at === '.' ? undefined : dirname(at)) {
    if (at === undefined) return undefined
    const key = at === '.' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    const entry = lock.packages[key]
    if (entry) return entry.link ? entry.resolved : key
  }
}
