import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import { closureOf, placeOf } from '../../../packages/install/closure.mjs'
import { lockOf, root } from '../packages-of-image.mjs'

interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string>; workspaces?: string[] }>
}
const complete: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** The packages that a program of the workspace can import from itself and its workspaces, as `place name`, with the places in which Node finds them. */
function resolved(lock: Lock, names: readonly string[], workspaces: readonly string[]) {
  const declared = (place: string) => Object.keys(complete.packages[place]?.dependencies ?? {}).filter((name) => names.includes(name))
  return workspaces.flatMap((place) => declared(place).map((name) => [`${place} ${name}`, placeOf(lock, place, name)]))
}

describe('the lockfile of an image', () => {
  it.each(serviceNames)('has the packages beside the bundle of %s in the versions that each of its workspaces imports', (name) => {
    const service = `services/${name}`
    const places: string[] = closureOf(complete, service)
    const workspaces = places.filter((place) => !place.includes('node_modules/'))
    // Nearly all are bundled, but a migration may import each of them.
    const names = [...new Set(places.flatMap((place) => /(?<=node_modules\/)(?:@[^/]+\/)?[^/]+$/.exec(place)?.[0] ?? []))]
    const image: Lock = lockOf(service, names)
    expect(resolved(image, names, workspaces)).toEqual(resolved(complete, names, workspaces))
    expect(resolved(image, names, workspaces)).toContainEqual(['packages/kit pg', 'node_modules/pg'])
  })
})
