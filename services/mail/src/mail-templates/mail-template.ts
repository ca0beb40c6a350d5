/** What a template can name, by the kinds of records and their fields as REST shows them. */
const templateFields = {
  client: ['firstname', 'lastname', 'email', 'phone', 'company_name'],
  customer: ['name', 'street', 'zip', 'city', 'phone', 'email', 'url', 'tax_number'],
  user: ['firstname', 'lastname', 'email'],
  issue: ['number', 'subject', 'deadline'],
} as const

export type TemplateKind = keyof typeof templateFields

const names: ReadonlySet<string> = new Set(
  Object.entries(templateFields).flatMap(([kind, fields]) => fields.map((field) => `${kind}.${field}`)),
)

/** What is wrong with the fields that a text names: `client.firstname` is one. Undefined where nothing is. */
export function wrongFields(named: readonly string[]): string | undefined {
  const unknown = named.filter((name) => !names.has(name))
  return unknown.length === 0 ? undefined : `names fields that do not exist: ${unknown.join(', ')}`
}

/** The kinds of records that hold the fields. */
export const kindsOf = (named: readonly string[]): ReadonlySet<TemplateKind> =>
  new Set(named.map((name) => name.slice(0, name.indexOf('.')) as TemplateKind))

/** The values of fields by kind and name. */
export type TemplateValues = Readonly<Partial<Record<TemplateKind, Readonly<Record<string, string>>>>>

const fieldOf = (values: TemplateValues, name: string) => {
  const [kind, field] = name.split('.') as [TemplateKind, string]
  return values[kind]?.[field] ?? ''
}

/** Those of the fields that have no value. */
export const missingOf = (named: readonly string[], values: TemplateValues): string[] =>
  named.filter((name) => fieldOf(values, name) === '')

/** Of the fields of a record those that a template can name, as text. */
export const valuesOf = (kind: TemplateKind, record: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(templateFields[kind].map((field) => [field, String(record[field] ?? '')]))
