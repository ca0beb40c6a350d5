import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource } from '@caseway/kit/resource'
import { repository } from './platform.js'

/** A resource, and the service that owns it. */
export interface Declared {
  readonly service: string
  readonly resource: Resource
}

const isResource = (value: unknown): value is Resource => typeof value === 'object' && value !== null && 'idColumn' in value

/** Every resource that a service declares, by the files that do. */
export async function declaredResources(): Promise<Declared[]> {
  const files = globSync('services/*/src/**/*.resource.ts', { cwd: repository }).sort()
  const found = files.map(async (file) => {
    const [, service = ''] = file.split('/')
    const exported = Object.values(await import(join(repository, file)))
    return exported.filter(isResource).map((resource) => ({ service, resource }))
  })
  return (await Promise.all(found)).flat()
}
