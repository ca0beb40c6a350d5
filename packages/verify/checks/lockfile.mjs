import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closureOf } from '../../install/closure.mjs'
import { root } from '../run.mjs'

/** The workspaces that are built into images. */
const shipped = ['gateway', ...globSync('services/*', { cwd: root })]

/** SPDX ids of licences that require no more than a notice. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
]

/** Copyleft licences have conditions for distribution: allowed only for development tools, which are in no image. */
const forTools = ['CC-BY-4.0', 'EPL-2.0', 'EUPL-1.1+', 'MPL-2.0']

/** Packages that state their licence in their files, but not in the field of package.json. */
const stated = { buildcheck: 'MIT', 'cpu-features': 'MIT', 'seq-queue': 'MIT', ssh2: 'MIT' }

/** Packages in images with a licence of `forTools`: unmodified, as separate files, with their licence. */
const unmodified = { 'fxa-common-password-list': 'MPL-2.0', 'incremental-encoder': 'MPL 2.0' }

/** The chosen one of several licences that a package offers. */
const chosen = { '@zone-eu/mailsplit': 'MIT' }

const packagesOf = ({ packages }) =>
  Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, entry]) => ({ place, name: place.split('node_modules/').at(-1), ...entry }))

const readLock = async (project) => JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'))

/**
 * The lockfile has a hash of every package, and names no host. The hash may be missing for an optional package of another platform that the registry
 * lacks, because nothing is fetched then.
 */
export async function integrity(project = root) {
  const packages = packagesOf(await readLock(project))
  const problems = packages.flatMap(({ place, integrity, resolved, optional, os, cpu }) => [
    ...(integrity?.startsWith('sha512-') || (optional && (os || cpu) && !integrity) ? [] : [`package-lock.json: ${place} has no sha512`]),
    ...(/^[a-z+]+:/.test(resolved ?? '') ? [`package-lock.json: ${place} names where it was fetched`] : []),
  ])
  return { problems }
}

/** Every package has an allowed licence, and a package in an image one that requires no more than a notice. */
export async function licences(project = root, images = shipped) {
  const lock = await readLock(project)
  const inImages = new Set(images.flatMap((workspace) => closureOf(lock, workspace)))
  const problems = packagesOf(lock).flatMap(({ place, name, license = stated[name], integrity }) => {
    // A package that was never fetched has no manifest.
    if (!license && !integrity) return []
    if (license && unmodified[name] === license) return []
    const allowed = inImages.has(place) ? permissive : [...permissive, ...forTools]
    const others = idsOf(chosen[name] ?? license).filter((id) => !allowed.includes(id))
    return others.length === 0 ? [] : [`${place} has the licence ${license ?? '(unknown)'}, which is not allowed here`]
  })
  return { problems }
}

/** The ids of an SPDX expression. All alternatives have to be allowed, unless one is `chosen`. */
const idsOf = (expression = '?') => expression.split(/[()\s]+|\b(?:AND|OR|and|or)\b/).filter((id) => id.trim() !== '')
