import type { KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import type { Audience, Caller } from '../caller/index.js'
import { tokenInvalid, unavailable } from '../errors/index.js'
import { callerOf, isClaims } from './claims.js'
import type { KeySet } from './key-set.js'

export interface TokenVerifier {
  /**
   * The caller that an access token speaks for. Synchronous whenever the key is known.
   * @throws AppError `unauthenticated` for any token that is not good here and now, `unavailable` when that cannot be decided yet
   */
  verify(token: string, audience: Audience): Caller | Promise<Caller>
}

export interface TokenVerifierOptions {
  keys: KeySet
  issuer: string
  /** How many verified tokens are remembered. Default 10,000. */
  cacheSize?: number
  /** Milliseconds since the epoch; a test's way to let time pass. */
  now?: () => number
}

interface Verified {
  caller: Caller
  /** Seconds since the epoch. */
  exp: number
}

/**
 * Verifies access tokens (JWT by RFC 7519 and RFC 8725: RS256 alone, our own keys alone, `typ`, `iss`, `aud`, `exp`, `nbf`). A token that was
 * verified once is remembered until it expires or the keys change.
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
 * What an access token may be by its `typ` (RFC 8725 3.11), in small letters: RFC 9068 2.1, and what builds before this one have issued. To be
 * narrowed to the first two when none of those runs any more.
 */
const accessTokenTypes = ['at+jwt', 'application/at+jwt', 'jwt']

/** Looks at the head of a token before any key is looked for. RFC 7515 4.1.11: a `crit` that one does not know is refused. */
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
