/** Faults of the SCIM server of the tests. */
export type ScimFault =
  | 'none'
  /** Answers nothing until it is released. */
  | 'hold'
  | 'hold-patch'
  | 'error'
  | 'patch-error'
  /** Makes the change, and then answers with an error, or not at all. */
  | 'patch-error-after'
  | 'patch-lost'
  | 'patch-taken'
  /** Refuses the change. */
  | 'patch-refused'
  /** Makes the change of names, but refuses that of addresses. */
  | 'addresses-refused'
  | 'not-json'
  | 'wrong-types'
  | 'someone-else'
  | 'huge'
  | 'redirect'

export interface ScimUser {
  readonly id: string
  readonly userName: string
  readonly name?: { readonly givenName?: string; readonly familyName?: string }
  readonly emails?: readonly { readonly value: string; readonly type?: string; readonly primary?: boolean }[]
}

export interface ScimRequest {
  readonly method: string
  readonly path: string
  readonly filter: string | null
  readonly authorization: string | undefined
  readonly body: string
}

const term = /^(userName|emails\.value) eq ("(?:[^"\\]|\\.)*")(?: or (?=.)|$)/

/** A predicate for a filter (RFC 7644 3.4.2.2) of comparisons joined by `or`; undefined if it is not valid. */
export function matches(filter: string): ((user: ScimUser) => boolean) | undefined {
  const terms: ((user: ScimUser) => boolean)[] = []
  for (let rest = filter; rest !== ''; ) {
    const [whole, attribute, literal] = term.exec(rest) ?? []
    if (whole === undefined || literal === undefined) return undefined
    const value = String(JSON.parse(literal)).toLowerCase()
    const valuesOf = ({ userName, emails = [] }: ScimUser) => (attribute === 'userName' ? [userName] : emails.map((email) => email.value))
    terms.push((user) => valuesOf(user).some((one) => one.toLowerCase() === value))
    rest = rest.slice(whole.length)
  }
  return (user) => terms.some((matching) => matching(user))
}

interface Patch {
  readonly Operations: readonly { readonly op: string; readonly path: string; readonly value: unknown }[]
}

/** The user after a PATCH of whole attributes (RFC 7644 3.5.2.3). */
export function patched(user: ScimUser, { Operations }: Patch): ScimUser {
  const after = structuredClone(user) as unknown as Record<string, unknown>
  for (const { op, path, value } of Operations) {
    if (op !== 'replace') throw new Error(`The operation ${op} is not known.`)
    const [attribute = '', part] = path.split('.')
    after[attribute] = part === undefined ? value : { ...(after[attribute] as object), [part]: value }
  }
  return after as unknown as ScimUser
}
