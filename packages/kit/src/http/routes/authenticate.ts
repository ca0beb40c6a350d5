import type { FastifyRequest } from 'fastify'
import type { Audience, Employee, Role } from '../../caller/index.js'
import { forbidden, passwordExpired, secondFactorMissing, tokenMissing } from '../../errors/index.js'
import { bearerToken, type TokenVerifier } from '../../tokens/index.js'

/**
 * Returns an `onRequest` hook that verifies the token, sets `request.caller`, and lets only `roles` pass. It runs before any validation of the request. A
 * person whose password has expired needs `config.allowsExpiredPassword` of the route, and one who has to set up a second factor
 * `config.allowsMissingSecondFactor`. The hook throws AppError `unauthenticated`, `forbidden`, or `unavailable` while the keys of tokens cannot be fetched.
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

/** Whether an employee has a right. It does not consider the roles of a route. */
export type HasRight = (caller: Pick<Employee, 'customerId' | 'userId'>, right: string) => Promise<boolean>

/**
 * Returns an `onRequest` hook that lets only employees with `right` pass. It runs after `authenticate` and before any validation of the request.
 * @throws Error at once where the service has no `hasRight`; the hook throws AppError `forbidden`
 */
export function requireRight(right: string, hasRight: HasRight | undefined) {
  if (!hasRight) throw new Error(`A route requires the right ${right}, but the service has no hasRight.`)
  return async ({ caller }: FastifyRequest) => {
    if (caller.customerId === null || !(await hasRight(caller, right))) throw forbidden()
  }
}
