import type { HttpClient } from '@caseway/testing'

export interface Schema {
  readonly required?: readonly string[]
  readonly properties?: Record<string, Schema>
}

export interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { in: string; name: string }[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

/** One method of one path. */
export interface Documented {
  readonly method: string
  /** The path below `/rest`. */
  readonly path: string
  readonly operation: Operation
}

/** All operations of the document at the address of `api`. */
export async function operations(api: HttpClient): Promise<Documented[]> {
  const { body } = await api.get<OpenApi>('/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path: path.replace('/rest', ''), operation })),
  )
}

/** The wrapped body of an operation. */
export interface Wrapped {
  readonly wrapper: string
  readonly fields: readonly string[]
  readonly required: readonly string[]
}

/** The wrapped body that an operation accepts; undefined for no body, or a list. */
export function wrappedBody({ requestBody }: Operation): Wrapped | undefined {
  const [entry] = Object.entries(requestBody?.content['application/json']?.schema.properties ?? {})
  const [wrapper, { properties, required = [] }] = entry ?? ['', {}]
  return properties && { wrapper, fields: Object.keys(properties), required }
}
