import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

export interface Caller {
  readonly customerId: bigint
  readonly userId: bigint
}

type Query = { readonly customer_id: string; readonly user_id: string }

/** Who calls. A guard would take it from the token; here the query says it. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { customer_id, user_id } = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: Query }>>().query
  return { customerId: BigInt(customer_id), userId: BigInt(user_id) }
})
