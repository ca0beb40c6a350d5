import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

export interface Caller {
  readonly customerId: bigint
  readonly userId: bigint
}

type Query = { readonly customer_id: string; readonly user_id: string }

/** The caller. A guard would read it from the token; here it is in the query. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { customer_id, user_id } = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: Query }>>().query
  return { customerId: BigInt(customer_id), userId: BigInt(user_id) }
})
