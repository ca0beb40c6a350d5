/** The parts of an OpenAPI 3.1 document that merging uses. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; summary?: string }
  servers?: { url: string }[]
  paths: Record<string, PathItem>
  /** The webhooks that services send, by name. */
  webhooks?: Record<string, PathItem>
  components?: Components
  security?: SecurityRequirement[]
  tags?: { name: string }[]
}

export type PathItem = Record<string, unknown>
export type SecurityRequirement = Record<string, string[]>

/** By kind (`schemas`, `parameters`, …), then by name. */
export type Components = Record<string, Record<string, unknown>>

export interface Operation {
  operationId?: string
}

const operations = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The operations of a path, as pairs of method and operation. */
export const operationsOf = (item: PathItem) =>
  Object.entries(item).filter(([method]) => operations.includes(method)) as [string, Operation][]

const isObject = (value: unknown) => typeof value === 'object' && value !== null

export const isOpenApi = (value: unknown): value is OpenApi =>
  isObject(value) && String((value as OpenApi).openapi).startsWith('3.1') && isObject((value as OpenApi).paths)
