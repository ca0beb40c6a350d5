import type { Resource } from '@caseway/kit/resource'
import { serviceNames } from '@caseway/registry'
import { declaredResources as resourcesBelow } from '@caseway/testing/declared-resources'

/** A resource, and the service that owns it. */
export interface Declared {
  readonly service: string
  readonly resource: Resource
}

/** Every resource of every service. */
export async function declaredResources(): Promise<Declared[]> {
  const found = serviceNames.map(async (service) => {
    const resources = await resourcesBelow(new URL(`../../services/${service}/src/`, import.meta.url))
    return resources.map((resource) => ({ service, resource }))
  })
  return (await Promise.all(found)).flat()
}
