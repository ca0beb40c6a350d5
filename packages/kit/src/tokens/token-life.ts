import jwt from 'jsonwebtoken'

/**
 * For how long tokens are issued: from `iat` to `exp` of one that has been verified (RFC 7519 4.1), in milliseconds. Without an `iat` it is
 * what is left of this one at `now`.
 */
export function tokenLifeMs(token: string, now: number = Date.now()): number {
  const { exp = 0, iat = Math.floor(now / 1000) } = jwt.decode(token) as jwt.JwtPayload
  return (exp - iat) * 1000
}
