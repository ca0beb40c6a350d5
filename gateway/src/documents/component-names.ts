import { isDeepStrictEqual } from 'node:util'
import type { OpenApi } from './openapi.js'

/** The OpenAPI document of a service; `name` prefixes its components where names clash. */
export interface Source {
  readonly name: string
  readonly document: OpenApi
}

/** A reference within the document, or into the document of another service: `cases-and-counters#/components/schemas/Issue`. */
const reference = /^([^#/]*)#\/components\/([^/]+)\/([^/]+)$/

/**
 * Renames components so that the documents can be merged: where services define different components under one name, each gets the name of its
 * service as a prefix, also in all references. A reference into the document of another service becomes a reference to that component; while it is
 * unknown, the schema allows everything.
 */
export function withoutClashes(sources: readonly Source[]): OpenApi[] {
  const clashing = new Set<string>()
  const known = new Set(sources.flatMap(({ name, document }) => componentsOf(document).map(({ key }) => `${name}#${key}`)))
  const named = () => sources.map((source) => renamed(source, { clashing, known }))
  let documents = named()
  // A component that refers to a renamed one now differs from those of the same name in other documents, so look for clashes again.
  for (let found = clashesIn(documents); found.length > 0; found = clashesIn(documents)) {
    for (const clash of found) clashing.add(clash)
    documents = named()
  }
  return documents
}

const keyOf = (kind: string, name: string) => `${kind}/${name}`

/** Security schemes are not renamed: requirements name them without a pointer, and all services check the same tokens. */
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

interface Names {
  readonly clashing: ReadonlySet<string>
  /** The components of all services, such as `auth#schemas/User`. */
  readonly known: ReadonlySet<string>
}

function renamed({ name: service, document }: Source, { clashing, known }: Names): OpenApi {
  const nameOf = (owner: string, kind: string, name: string) => (clashing.has(keyOf(kind, name)) ? `${owner}.${name}` : name)
  const follow = (_key: string, value: unknown) => {
    const [, owner, kind, name] = (typeof value === 'string' && reference.exec(value)) || []
    if (!kind || !name) return value
    if (owner && !known.has(`${owner}#${keyOf(kind, name)}`)) return undefined
    return `#/components/${kind}/${nameOf(owner || service, kind, name)}`
  }
  const followed: OpenApi = JSON.parse(JSON.stringify(document), follow)
  const components = Object.entries(followed.components ?? {}).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).map(([name, value]) => [nameOf(service, kind, name), value])),
  ])
  return { ...followed, components: Object.fromEntries(components) }
}
