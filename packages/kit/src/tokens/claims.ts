import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { type Caller, type EmployeeRole, employees, type Id, parseId, roles } from '../caller/index.js'

const text = Type.String({ minLength: 1, maxLength: 255 })

const Claims = Type.Object({
  sub: text,
  aud: Type.Union([Type.Literal('expert'), Type.Literal('client')]),
  customer_id: Type.Union([text, Type.Null()]),
  role: Type.Integer({ minimum: 0, maximum: roles.length - 1 }),
  sid: text,
  jti: text,
  exp: Type.Number(),
  /** A private claim: the password has expired, and must be changed first. */
  pwd_expired: Type.Optional(Type.Boolean()),
  /** A private claim: a second factor must be set up first. */
  second_factor_missing: Type.Optional(Type.Boolean()),
})
export type Claims = Static<typeof Claims>

/** Whether a payload has all claims of an access token, with valid types. jsonwebtoken checks only registered claims. */
export const isClaims = (payload: unknown): payload is Claims => Value.Check(Claims, payload)

const expired = { passwordExpired: true } as const
const missing = { secondFactorMissing: true } as const

/** The caller that `claims` describe; undefined where role, audience and office contradict each other. */
export function callerOf({ sub, aud, customer_id, role: roleNumber, sid: sessionId, ...claims }: Claims): Caller | undefined {
  const userId = parseId(sub)
  const role = roles[roleNumber]
  const first = { ...(claims.pwd_expired && expired), ...(claims.second_factor_missing && missing) }
  if (userId === undefined || role === undefined) return undefined
  if (customer_id === null) {
    if (role === 'client' && aud === 'client') return { audience: aud, role, userId, customerId: null, sessionId, ...first }
    if (role === 'technical' && aud === 'expert') return { audience: aud, role, userId, customerId: null, sessionId, ...first }
    return undefined
  }
  const customerId: Id | undefined = parseId(customer_id)
  if (customerId === undefined || aud !== 'expert' || !isEmployeeRole(role)) return undefined
  return { audience: aud, role, userId, customerId, sessionId, ...first }
}

const isEmployeeRole = (role: string): role is EmployeeRole => (employees as readonly string[]).includes(role)
