import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closureOf } from '../../install/closure.mjs'
import { root } from '../run.mjs'

/** What the images are made of. */
const shipped = ['gateway', ...globSync('services/*', { cwd: root })]

/** SPDX ids that ask for no more than a notice. */
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

/** Copyleft licences bind those who distribute the package: for development tools only, which are in no image. */
const forTools = ['CC-BY-4.0', 'EPL-2.0', 'EUPL-1.1+', 'MPL-2.0']

/** Packages whose licence is in their files, but not in the field where npm looks for it. */
const stated = { buildcheck: 'MIT', 'cpu-features': 'MIT', 'seq-queue': 'MIT', ssh2: 'MIT' }

/** In images although their licence is one of `forTools`: unmodified, as separate files, with their licence beside them. */
const unmodified = { 'fxa-common-password-list': 'MPL-2.0', 'incremental-encoder': 'MPL 2.0' }

/** Of the licences that a package offers, the one under which it is used. */
const chosen = { '@zone-eu/mailsplit': 'MIT' }

const packagesOf = ({ packages }) =>
  Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, entry]) => ({ place, name: place.split('node_modules/').at(-1), ...entry }))

const readLock = async (project) => JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'))

/**
 * Whatever npm fetches is compared with a hash, and the lockfile names no host. An optional package for another platform may lack its hash: an
 * index of packages need not have it, and then nothing can be fetched either.
 */
export async function integrity(project = root) {
  const packages = packagesOf(await readLock(project))
  const problems = packages.flatMap(({ place, integrity, resolved, optional, os, cpu }) => [
    ...(integrity?.startsWith('sha512-') || (optional && (os || cpu) && !integrity) ? [] : [`package-lock.json: ${place} has no sha512`]),
    ...(/^[a-z+]+:/.test(resolved ?? '') ? [`package-lock.json: ${place} names where it was fetched`] : []),
  ])
  return { problems }
}

/** Every package has a licence that the project may use, and one that is in an image asks for no more than a notice. */
export async function licences(project = root, images = shipped) {
  const lock = await readLock(project)
  const inImages = new Set(images.flatMap((workspace) => closureOf(lock, workspace)))
  const problems = packagesOf(lock).flatMap(({ place, name, license = stated[name], integrity }) => {
    // What was never fetched has no manifest to read.
    if (!license && !integrity) return []
    if (license && unmodified[name] === license) return []
    const allowed = inImages.has(place) ? permissive : [...permissive, ...forTools]
    const others = idsOf(chosen[name] ?? license).filter((id) => !allowed.includes(id))
    return others.length === 0 ? [] : [`${place} has the licence ${license ?? '(unknown)'}, which is not allowed here`]
  })
  return { problems }
}

/** Of an SPDX expression; also what is offered as an alternative has to be allowed, or one of them `chosen`. */
const idsOf = (expression = '?') => expression.split(/[()\s]+|\b(?:AND|OR|and|or)\b/).filter((id) => id.trim() !== '')
