import { isDeepStrictEqual } from 'node:util'
import type { OpenApi } from './openapi.js'

/** A service's document, and what its part of a clash is called. */
export interface Source {
  readonly name: string
  readonly document: OpenApi
}

const pointer = /^#\/components\/([^/]+)\/([^/]+)$/

/**
 * Documents in which one name means one thing: components that are called alike and are not get the name of their service before
 * theirs, wherever they are referred to.
 */
export function withoutClashes(sources: readonly Source[]): OpenApi[] {
  const clashing = new Set<string>()
  let documents = sources.map(({ document }) => document)
  // A component that refers to a renamed one has itself become different from its namesake.
  for (let found = clashesIn(documents); found.length > 0; found = clashesIn(documents)) {
    for (const clash of found) clashing.add(clash)
    documents = sources.map((source) => renamed(source, clashing))
  }
  return documents
}

const keyOf = (kind: string, name: string) => `${kind}/${name}`

/** Security schemes stay as they are: requirements name them without a pointer, and all services check the same tokens. */
const componentsOf = ({ components = {} }: OpenApi) =>
  Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.entries(named).map(([name, value]) => ({ key: keyOf(kind, name), value })))

function clashesIn(documents: readonly OpenApi[]): string[] {
  const first = new Map<string, unknown>()
  const clashes = new Set<string>()
  for (const { key, value } of documents.flatMap(componentsOf)) {
    if (!first.has(key)) first.set(key, value)
    else if (!isDeepStrictEqual(first.get(key), value)) clashes.add(key)
  }
  return [...clashes]
}

function renamed({ name: service, document }: Source, clashing: ReadonlySet<string>): OpenApi {
  const nameOf = (kind: string, name: string) => (clashing.has(keyOf(kind, name)) ? `${service}.${name}` : name)
  const follow = (_key: string, value: unknown) => {
    const [, kind, name] = (typeof value === 'string' && pointer.exec(value)) || []
    return kind && name ? `#/components/${kind}/${nameOf(kind, name)}` : value
  }
  const followed: OpenApi = JSON.parse(JSON.stringify(document), follow)
  const components = Object.entries(followed.components ?? {}).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).map(([name, value]) => [nameOf(kind, name), value])),
  ])
  return { ...followed, components: Object.fromEntries(components) }
}
