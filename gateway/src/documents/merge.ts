import type { Audience } from '@caseway/kit/caller'
import type { ServiceName } from '@caseway/registry'
import { publicUpstreams, tokenPath, upstreams } from '../upstreams.js'
import { withoutClashes } from './component-names.js'
import { type Components, type OpenApi, operationsOf, type PathItem } from './openapi.js'

export type DocumentsByService = Readonly<Partial<Record<ServiceName, OpenApi>>>

const summaries: Record<Audience, string> = { expert: 'The address for employees.', client: 'The address for clients.' }

/** Merges the documents of the services into one for one address, with only the operations that the routing table exposes there. */
export function mergeDocuments(audience: Audience, url: string, services: DocumentsByService): OpenApi {
  const sources = Object.entries(services).map(([name, document]) => ({ name, document: publicPart(document, audience, name) }))
  const documents = withoutClashes(sources)
  return {
    openapi: '3.1.0',
    info: { title: 'Caseway', summary: summaries[audience], version: '1' },
    servers: [{ url }],
    security: [{ bearer: [] }, { password: [] }],
    tags: tagsOf(documents),
    paths: withUniqueIds(documents.map(({ paths }) => paths)),
    webhooks: Object.assign({}, ...documents.map(({ webhooks }) => webhooks)),
    components: componentsOf(documents, url),
  }
}

function publicPart(document: OpenApi, audience: Audience, name: string): OpenApi {
  const ownerOf = (path: string) => {
    const [, first = '', second = ''] = path.split('/')
    return first === 'rest' ? upstreams[audience][second] : publicUpstreams[audience][first]
  }
  const isRouted = (path: string) => ownerOf(path) === name
  return { ...document, paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => isRouted(path))) }
}

function tagsOf(documents: readonly OpenApi[]): { name: string }[] {
  const tags = documents.flatMap(({ tags = [] }) => tags)
  return [...new Map(tags.map((tag) => [tag.name, tag])).values()]
}

function componentsOf(documents: readonly OpenApi[], url: string): Components {
  const merged: Components = {}
  for (const { components = {} } of documents) {
    for (const [kind, named] of Object.entries(components)) merged[kind] = { ...merged[kind], ...named }
  }
  const password = { type: 'oauth2', flows: { password: { tokenUrl: url + tokenPath, refreshUrl: url + tokenPath, scopes: {} } } }
  const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
  return { ...merged, securitySchemes: { ...merged.securitySchemes, bearer, password } }
}

/** Gives each operation a unique id: one without an id is named after its method and path, and a duplicate gets a number appended. */
function withUniqueIds(services: readonly Record<string, PathItem>[]): Record<string, PathItem> {
  const taken = new Set<string>()
  const unique = (wanted: string) => {
    let id = wanted
    for (let n = 2; taken.has(id); n++) id = `${wanted}${n}`
    taken.add(id)
    return id
  }
  const named = (path: string, item: PathItem): PathItem => {
    const operations = operationsOf(item).map(([method, operation]) => [
      method,
      { ...operation, operationId: unique(operation.operationId ?? idOf(method, path)) },
    ])
    return { ...item, ...Object.fromEntries(operations) }
  }
  return Object.fromEntries(services.flatMap((paths) => Object.entries(paths).map(([path, item]) => [path, named(path, item)])))
}

const idOf = (method: string, path: string) =>
  method + path.replace(/[^A-Za-z0-9]+([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
