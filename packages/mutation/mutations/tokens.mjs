import { of } from './of.mjs'

const tokens = 'packages/kit/test/tokens.test.ts'
const refused = 'a token that is refused'

/** What an access token must be to be believed. */
export default [
  ...of('packages/kit/src/tokens/token-verifier.ts', tokens, [
    ["header?.alg !== 'RS256' || ", '', refused],
    [' issuer, audience, clockTimestamp', ' audience, clockTimestamp', 'another issuer'],
    [' issuer, audience, clockTimestamp', ' issuer, clockTimestamp', 'the other audience'],
    ['audience, clockTimestamp }', 'audience, clockTimestamp, ignoreExpiration: true }', 'expired'],
    ['audience, clockTimestamp }', 'audience, clockTimestamp, ignoreNotBefore: true }', 'not yet valid'],
    ['|| header.crit !== undefined', '', 'a critical extension'],
    ['known.exp * 1000 <= now()', 'known.exp * 1000 < now()', 'is refused from the second of its expiry on'],
    ['known.caller.audience !== audience', 'false', 'is still refused for the other audience'],
    ['cache.clear()', '', 'is refused when its key is withdrawn'],
    ['if (!key) throw tokenInvalid()', 'if (!key) return { audience } as never', 'a key id that is unknown'],
  ]),
  ...of('packages/kit/src/tokens/claims.ts', tokens, [
    ['  sid: text,', '  sid: Type.Optional(text) as never,', 'no session'],
    ['  jti: text,', '  jti: Type.Optional(text) as never,', 'no token id'],
    ['  exp: Type.Number(),', '  exp: Type.Optional(Type.Number()) as never,', 'no expiry'],
    ["aud !== 'expert' || !isEmployeeRole(role)", '!isEmployeeRole(role)', 'at the address of clients'],
    ["aud !== 'expert' || !isEmployeeRole(role)", "aud !== 'expert'", 'a technical account with an office'],
    ["role === 'client' && aud === 'client'", "role === 'client'", refused],
    ["role === 'technical' && aud === 'expert'", "role === 'technical'", 'a technical account'],
  ]),
  ...of('packages/kit/src/tokens/jwks.ts', 'packages/kit/test/key-set.test.ts', [
    ['>= minModulusBits ? key : undefined', '>= 0 ? key : undefined', 'is read by key id'],
    ["(jwk.use ?? 'sig') !== 'sig' || ", '', 'is read by key id'],
    ["(jwk.alg ?? 'RS256') !== 'RS256'", 'false', 'is read by key id'],
  ]),
  ...of('packages/kit/src/tokens/key-set.ts', 'packages/kit/test/key-set.test.ts', [
    ['this.generation += 1', '', 'increments its generation only when it changes'],
    ['if (same) return', '', 'increments its generation only when it changes'],
    ['this.#nextFetchAt = Date.now() + this.#options.coolDownMs', '', 'are fetched once per cool-down'],
  ]),
  ...of('services/auth/src/tokens/refresh-token.ts', 'services/auth/src/tokens/refresh-token.test.ts', [
    ['<= graceMs', '< graceMs', 'gets the same again after twenty seconds'],
    ['graceMs = 20_000', 'graceMs = 30_000', 'is a thief’s later than that'],
    ['!successorUsed && ', '', 'is a thief’s when its successor was used'],
    ['expires <= now) return', 'expires < now) return', 'is refused when it has expired'],
    ['session.ended || ', '', 'is refused when its family has ended'],
    ['randomBytes(32)', 'randomBytes(16)', 'a new refresh token has 256 random bits'],
  ]),
  ...of('services/auth/src/tokens/refresh.service.ts', 'services/auth/test/tokens/refresh.api.test.ts', [
    ['session.applicationId !== application.id', 'false', 'is valid for its application only'],
    ['reuses.inc()', '', 'is counted when it ends a family', 'services/auth/test/tokens/refresh.api.test.ts'],
  ]),
  ...of('services/auth/src/tokens/access-token.service.ts', 'services/auth/test/sign-in/sign-in.api.test.ts', [
    ['roles.indexOf(role), sid', '1, sid', 'answers an employee as specified', 'services/auth/test/sign-in/sign-in.api.test.ts'],
    ['jwtid: randomUUID()', "jwtid: 'one'", 'has an id of its own', 'services/auth/test/sign-in/sign-in.api.test.ts'],
  ]),
  ...of('services/auth/src/tokens/sign-in.service.ts', 'services/auth/test/sign-in/login-limits.api.test.ts', [
    [
      '!account?.active || !right',
      '!right',
      'an attempt for an inactive account counts as one with a wrong password',
      'services/auth/test/sign-in/login-limits.api.test.ts',
    ],
    [
      'if (!(await accounts.noteLogin(account, now))) return null',
      'await accounts.noteLogin(account, now)',
      'begins no session if',
      'services/auth/test/sign-in/sign-in.api.test.ts',
    ],
    [
      '?? (await signIn(...args))',
      '',
      'gets the new role if a change of the base role comes first',
      'services/auth/test/sign-in/sign-in.api.test.ts',
    ],
    [
      'await failures.note(attempt)',
      '',
      'the eleventh attempt is 429 with Retry-After',
      'services/auth/test/sign-in/login-limits.api.test.ts',
    ],
    ['await failures.clear(begun.attempt)', '', 'a success clears the failures', 'services/auth/test/sign-in/login-limits.api.test.ts'],
    [
      '// Of concurrent attempts no more than the limit count, even if a later one is right.\n    await failures.check(attempt)',
      '',
      'the right password is refused if the last attempt failed while it was compared',
      'services/auth/test/sign-in/login-limits.api.test.ts',
    ],
  ]),
  ...of('services/auth/src/tokens/token.service.ts', 'services/auth/test/tokens/token-errors.api.test.ts', [
    ["technical && audience === 'expert'", 'technical', 'can neither sign people in', 'services/auth/test/tokens/token-errors.api.test.ts'],
    [': !technical\n', ': true\n', 'can neither sign people in', 'services/auth/test/tokens/token-errors.api.test.ts'],
  ]),
  ...of('services/auth/src/limits/login-failures.ts', 'services/auth/test/sign-in/login-limits.api.test.ts', [
    ['points: 10,', 'points: 11,', 'the eleventh attempt is 429 with Retry-After'],
    ['points: 10,', 'points: 9,', 'the eleventh attempt is 429 with Retry-After'],
  ]),
  ...of('services/auth/src/database.ts', 'services/auth/test/sign-in/login-limits.api.test.ts', [
    ['param((email) => email.toLowerCase())', 'param((email) => email)', 'a spelling that would be counted separately does not sign in'],
  ]),
  ...of('packages/kit/src/secrets/secrets.ts', 'packages/kit/src/secrets/secrets.test.ts', [
    ['const iv = randomBytes(ivBytes)', 'const iv = Buffer.alloc(ivBytes)', 'is different each time'],
    ['secretOf(base64) === undefined', 'false', 'is too short a secret'],
  ]),
  ...of('packages/kit/src/config/variables.ts', 'packages/kit/src/secrets/secrets.test.ts', [
    ["Buffer.from(value, 'base64').length >= 32", "Buffer.from(value, 'base64').length >= 31", 'is too short a secret'],
  ]),
  ...of('services/auth/src/keys/signing-key.ts', 'services/auth/src/keys/signing-key.test.ts', [
    ['signsFrom <= now', 'true', 'is the one whose `signsFrom` is the latest that has passed'],
    ['keys.every(', 'keys.some(', 'not when a newer key signs or is going to'],
  ]),
  ...of('packages/kit/src/database/sealed-column.ts', 'packages/kit/test/database/required-secret.test.ts', [
    ['sealer.knows(value))) return', 'sealer.knows(value))) continue', 'accepts a secret that has sealed one of the last values'],
    ['open?.()', '', 'throws for any other secret'],
    ["error.kind === 'unavailable') return", "error.kind === 'invalid') return", 'checks nothing while the database is unavailable'],
  ]),
]
