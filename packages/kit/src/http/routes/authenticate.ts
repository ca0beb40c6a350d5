import type { FastifyRequest } from 'fastify'
import type { Audience, Employee, Role } from '../../caller/index.js'
import { forbidden, passwordExpired, secondFactorMissing, tokenMissing } from '../../errors/index.js'
import { bearerToken, type TokenVerifier } from '../../tokens/index.js'

/**
 * The hook of a route that only `roles` may call. The role is checked before anything of the request is looked at. A token of a person whose
 * password has expired is refused unless the route's `config.allowsExpiredPassword` is set, and one of a person who has to set up a second
 * factor unless `config.allowsMissingSecondFactor` is.
 */
export const authenticate = (verifier: TokenVerifier, audience: Audience, roles: readonly Role[]) => async (request: FastifyRequest) => {
  const token = bearerToken(request.headers)
  if (token === undefined) throw tokenMissing()
  const verified = verifier.verify(token, audience)
  request.caller = verified instanceof Promise ? await verified : verified
  request.tracing.caller = request.caller
  const { role, passwordExpired: expired, secondFactorMissing: missing } = request.caller
  const { allowsExpiredPassword, allowsMissingSecondFactor } = request.routeOptions.config
  if (expired && !allowsExpiredPassword) throw passwordExpired()
  if (missing && !allowsMissingSecondFactor) throw secondFactorMissing()
  if (!roles.includes(role)) throw forbidden()
}

/** Whether an employee has a right, whatever their role. */
export type HasRight = (caller: Pick<Employee, 'customerId' | 'userId'>, right: string) => Promise<boolean>

/** The hook of a route that asks for a right, after the role and before anything of the request. @throws Error at once without `hasRight` */
export function requireRight(right: string, hasRight: HasRight | undefined) {
  if (!hasRight) throw new Error(`A route asks for the right ${right}, and the service has no hasRight.`)
  return async ({ caller }: FastifyRequest) => {
    if (caller.customerId === null || !(await hasRight(caller, right))) throw forbidden()
  }
}
