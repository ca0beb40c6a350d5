import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Where a request comes from: the last `X-Forwarded-For`, which the gateway writes, or the other end of the connection. */
export function callerAddress({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): string {
  const last = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return last && isIP(last) ? last : ip
}
