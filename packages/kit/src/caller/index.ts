/** A record's id: a positive integer below 2^53. One type for all of them; `parseId` is the only way in from outside. */
export type Id = bigint

/** The id that `value` writes (canonical decimal text or an integer number), or undefined. */
export function parseId(value: unknown): Id | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = BigInt(text)
  return id <= Number.MAX_SAFE_INTEGER ? id : undefined
}

/** Base roles in the order of their numbers on the token, 0 to 5. */
export const roles = ['technical', 'administrator', 'expert', 'specialist', 'trainee', 'client'] as const
export type Role = (typeof roles)[number]
export type EmployeeRole = Exclude<Role, 'technical' | 'client'>

/** The roles of those who work at an office: they come through the address for employees. */
export const employees: readonly EmployeeRole[] = ['administrator', 'expert', 'specialist', 'trainee']
/** Those of `employees` who also do what specialists and trainees may not. */
export const experts: readonly EmployeeRole[] = ['administrator', 'expert']

/** The listener that a token is for: employees come through one address, clients through the other. */
export type Audience = 'expert' | 'client'

/** Who may call a route of an audience that names no roles. */
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

/** A client of one or several offices: no office of its own. */
export interface Client extends Person {
  readonly audience: 'client'
  readonly role: 'client'
  readonly customerId: null
}

/** The account of an external platform; the one caller whose writes cross offices. */
export interface Technical extends Person {
  readonly audience: 'expert'
  readonly role: 'technical'
  readonly customerId: null
}

export type Caller = Employee | Client | Technical

/** Employees, clients and applications have ids of their own sequences: an id alone identifies no subject. */
export interface Subject {
  readonly kind: 'employee' | 'client' | 'application'
  readonly id: Id
}

/** Whom a token speaks for; the account of an external platform is its application. */
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

/** A caller as one text, for keys: the subject and its office, `employee:7@2`. A client or an application has no office: `client:7@`. */
export const callerKey = (caller: Caller): string => `${subjectKey(subjectOf(caller))}@${caller.customerId ?? ''}`
