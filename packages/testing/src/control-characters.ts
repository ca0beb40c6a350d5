import type { HttpClient } from './http-client.js'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly pattern?: unknown
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export interface TextField {
  readonly method: string
  /** The path below `/rest`; ids in it do not exist. */
  readonly path: string
  readonly wrapper: string
  readonly field: string
  /** Whether the document allows line breaks. */
  readonly multiline?: boolean
}

const unknownId = '9007199254740991'

const isFreeText = ({ type, enum: words, pattern, format }: Schema) =>
  [type].flat().includes('string') && words === undefined && pattern === undefined && (format === undefined || format === 'idn-email')

/** The text fields of all wrapped bodies of an OpenAPI document, without times. */
export function textFieldsOf({ paths }: { paths: Paths }): TextField[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method,
      path,
      schema: requestBody?.content['application/json']?.schema,
    })),
  )
  return operations.flatMap(({ method, path, schema }) =>
    Object.entries(schema?.properties ?? {}).flatMap(([wrapper, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => isFreeText(field))
        .map(([field, { description }]) => ({
          ...{ method: method.toUpperCase(), path: path.replace(/^\/rest/, '').replace('{id}', unknownId), wrapper, field },
          multiline: description?.startsWith('Line breaks') ?? false,
        })),
    ),
  )
}

const lineBreaks = ['a\r\nb', 'a\nb']
const texts = ['a\0b', 'a\rb', 'a\u0007b', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\u2066b']
const inAddress = (text: string) => `"${text}"@office.example`

/** Sends control characters in each of `fields`; returns the answers that are not a 400 which names the field. */
export async function acceptedControlCharacters(http: HttpClient, fields: readonly TextField[]): Promise<unknown[]> {
  const accepted: unknown[] = []
  for (const { method, path, wrapper, field, multiline } of fields) {
    for (const text of multiline ? texts : [...texts, ...lineBreaks]) {
      const sent = field === 'email' ? inAddress(text) : text
      const { status, body } = await http.request<{ errorMessages?: object }>(method, path, { [wrapper]: { [field]: sent } })
      if (status !== 400 || !Object.hasOwn(body.errorMessages ?? {}, field)) accepted.push({ method, path, field, sent, status })
    }
  }
  return accepted
}
