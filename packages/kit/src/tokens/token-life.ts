import jwt from 'jsonwebtoken'

/**
 * The lifetime of a verified token, from `iat` to `exp` (RFC 7519 4.1), in milliseconds; without `iat`, the time that is left at `now`.
 */
export function tokenLifeMs(token: string, now: number = Date.now()): number {
  const { exp = 0, iat = Math.floor(now / 1000) } = jwt.decode(token) as jwt.JwtPayload
  return (exp - iat) * 1000
}
