import type { KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import type { Audience, Caller } from '../caller/index.js'
import { tokenInvalid, unavailable } from '../errors/index.js'
import { callerOf, isClaims } from './claims.js'
import type { KeySet } from './key-set.js'

export interface TokenVerifier {
  /**
   * Verifies an access token, and returns its caller. Synchronous where the key is known.
   * @throws AppError `unauthenticated` where the token is not valid for `audience`; `unavailable` where its key is unknown and cannot be fetched
   */
  verify(token: string, audience: Audience): Caller | Promise<Caller>
}

export interface TokenVerifierOptions {
  keys: KeySet
  issuer: string
  /** The maximum number of cached tokens. Default 10,000. */
  cacheSize?: number
  /** The clock, in milliseconds since the epoch, for tests. */
  now?: () => number
}

interface Verified {
  caller: Caller
  /** Seconds since the epoch. */
  exp: number
}

/**
 * Creates a verifier of access tokens: JWT (RFC 7519), with the checks of RFC 8725: RS256 only, keys of `keys` only, `typ`, `iss`, `aud`, `exp` and `nbf`.
 * Verified tokens are cached until they expire or the keys change.
 */
export function createTokenVerifier({ keys, issuer, cacheSize = 10_000, now = Date.now }: TokenVerifierOptions): TokenVerifier {
  const cache = new LRUCache<string, Verified>({ max: cacheSize })
  let generation = keys.generation

  function remembered(token: string): Verified | undefined {
    if (generation !== keys.generation) {
      cache.clear()
      generation = keys.generation
    }
    return cache.get(token)
  }

  function verifyWith(key: KeyObject, token: string, audience: Audience): Caller {
    const clockTimestamp = Math.floor(now() / 1000)
    const verified = check(token, key, { algorithms: ['RS256'], issuer, audience, clockTimestamp })
    cache.set(token, verified)
    return verified.caller
  }

  async function verifyWithNewKeys(kid: string, token: string, audience: Audience): Promise<Caller> {
    const key = await keys.lookUp(kid).catch((cause: unknown) => {
      throw unavailable(cause)
    })
    if (!key) throw tokenInvalid()
    return verifyWith(key, token, audience)
  }

  return {
    verify(token, audience) {
      const known = remembered(token)
      if (known) {
        if (known.exp * 1000 <= now() || known.caller.audience !== audience) throw tokenInvalid()
        return known.caller
      }
      const kid = keyIdOf(token)
      const key = keys.find(kid)
      return key ? verifyWith(key, token, audience) : verifyWithNewKeys(kid, token, audience)
    },
  }
}

/**
 * The accepted values of `typ` (RFC 8725 3.11), in lower case: those of RFC 9068 2.1, and `jwt`, which earlier builds have issued. Remove `jwt` when none of
 * those runs any more.
 */
const accessTokenTypes = ['at+jwt', 'application/at+jwt', 'jwt']

/** The `kid` of a token, after checks of its header. Any `crit` is refused, because no extensions are supported (RFC 7515 4.1.11). */
function keyIdOf(token: string): string {
  const header = headerOf(token)
  if (header?.alg !== 'RS256' || typeof header.kid !== 'string' || header.kid === '' || header.crit !== undefined) throw tokenInvalid()
  if (typeof header.typ !== 'string' || !accessTokenTypes.includes(header.typ.toLowerCase())) throw tokenInvalid()
  return header.kid
}

function headerOf(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header
  } catch (cause) {
    throw tokenInvalid(cause)
  }
}

function check(token: string, key: KeyObject, options: jwt.VerifyOptions): Verified {
  let payload: unknown
  try {
    payload = jwt.verify(token, key, options)
  } catch (cause) {
    throw tokenInvalid(cause)
  }
  const caller = isClaims(payload) ? callerOf(payload) : undefined
  if (!caller) throw tokenInvalid()
  return { caller, exp: (payload as { exp: number }).exp }
}
