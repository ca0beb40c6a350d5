/** The fields that a template may name: kinds of records with their fields in REST. */
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

/** The error text for fields that do not exist; undefined where all do. */
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

/** The fields without a value. */
export const missingOf = (named: readonly string[], values: TemplateValues): string[] =>
  named.filter((name) => fieldOf(values, name) === '')

/** The fields of a record that a template may name, as text. */
export const valuesOf = (kind: TemplateKind, record: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(templateFields[kind].map((field) => [field, String(record[field] ?? '')]))
