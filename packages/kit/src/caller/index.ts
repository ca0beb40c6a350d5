/** The id of a record: a positive integer below 2^53. Ids from outside are parsed by `parseId`. */
export type Id = bigint

/** Parses an id: decimal text without leading zeros, or an integer. @returns undefined for anything else */
export function parseId(value: unknown): Id | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = BigInt(text)
  return id <= Number.MAX_SAFE_INTEGER ? id : undefined
}

/** The base roles. The index of each is its number in the claim `role` of a token. */
export const roles = ['technical', 'administrator', 'expert', 'specialist', 'trainee', 'client'] as const
export type Role = (typeof roles)[number]
export type EmployeeRole = Exclude<Role, 'technical' | 'client'>

/** The roles of people who work at an office. They call the address for experts. */
export const employees: readonly EmployeeRole[] = ['administrator', 'expert', 'specialist', 'trainee']
/** The roles of employees who may also do what is closed to specialists and trainees. */
export const experts: readonly EmployeeRole[] = ['administrator', 'expert']

/** The address that a token is valid for, in its claim `aud`: `expert` for employees and technical accounts, `client` for clients. */
export type Audience = 'expert' | 'client'

/** The roles that may call a route by default, where it names none. */
export const rolesOf: Readonly<Record<Audience, readonly Role[]>> = { expert: employees, client: ['client'] }

interface Person {
  readonly userId: Id
  readonly sessionId: string
  /** The password has expired: until it is changed, only routes with `allowsExpiredPassword` may be called. Absent otherwise. */
  readonly passwordExpired?: true
  /** The office demands a second factor and this person has none yet: only routes with `allowsMissingSecondFactor` may be called. Absent otherwise. */
  readonly secondFactorMissing?: true
}

/** Somebody who works at an office. */
export interface Employee extends Person {
  readonly audience: 'expert'
  readonly role: EmployeeRole
  readonly customerId: Id
}

/** A client, who may be linked with several offices, so that the token names none. */
export interface Client extends Person {
  readonly audience: 'client'
  readonly role: 'client'
  readonly customerId: null
}

/** The account of an external platform: the only caller who may write to every office. */
export interface Technical extends Person {
  readonly audience: 'expert'
  readonly role: 'technical'
  readonly customerId: null
}

export type Caller = Employee | Client | Technical

/** Who acts. Employees, clients and applications take their ids from different sequences, so that an id is unique only together with the kind. */
export interface Subject {
  readonly kind: 'employee' | 'client' | 'application'
  readonly id: Id
}

/** The subject of a caller. A technical account is an application. */
export function subjectOf({ role, userId: id }: Pick<Caller, 'role' | 'userId'>): Subject {
  switch (role) {
    case 'client':
      return { kind: 'client', id }
    case 'technical':
      return { kind: 'application', id }
    default:
      return { kind: 'employee', id }
  }
}

/** A subject as one text, for keys and logs: `employee:7`. */
export const subjectKey = ({ kind, id }: Subject): string => `${kind}:${id}`

/** A caller as one text, for keys: the subject and its office, `employee:7@2`; without an office, `client:7@`. */
export const callerKey = (caller: Caller): string => `${subjectKey(subjectOf(caller))}@${caller.customerId ?? ''}`
