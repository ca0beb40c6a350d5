import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { Audience, Caller } from '@caseway/kit/caller'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import { describe, expect, it } from '@jest/globals'
import { claims, issuer, sign, signingKey } from './support/jwks-server.js'

const key = signingKey('k1')
const stranger = signingKey('k1')
const newVerifier = () => createTokenVerifier({ keys: new KeySet(new Map([['k1', key.publicKey]])), issuer })
const verify = async (token: string, audience: Audience = 'expert', verifier = newVerifier()): Promise<Caller> =>
  verifier.verify(token, audience)
const refusal = { kind: 'unauthenticated', code: 'TOKEN_INVALID' }
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const nowSeconds = () => Math.floor(Date.now() / 1000)

describe('a valid token', () => {
  it.each([
    [{ role: 1 }, 'expert', { audience: 'expert', role: 'administrator', userId: 41n, customerId: 7n, sessionId: 'session' }],
    [{ role: 4 }, 'expert', { audience: 'expert', role: 'trainee', userId: 41n, customerId: 7n, sessionId: 'session' }],
    [
      { role: 5, aud: 'client', customer_id: null },
      'client',
      { audience: 'client', role: 'client', userId: 41n, customerId: null, sessionId: 'session' },
    ],
    [
      { role: 0, customer_id: null },
      'expert',
      { audience: 'expert', role: 'technical', userId: 41n, customerId: null, sessionId: 'session' },
    ],
  ] as const)('%j is its caller', async (over, audience, caller) => {
    expect(await verify(sign(key, claims(over)), audience)).toEqual(caller)
  })

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT'])('may be of the type %s', async (typ) => {
    expect(await verify(sign(key, claims(), { header: { alg: 'RS256', kid: 'k1', typ } }))).toMatchObject({ userId: 41n })
  })

  it('states that the password has expired', async () => {
    expect(await verify(sign(key, claims({ pwd_expired: true })))).toMatchObject({ userId: 41n, passwordExpired: true })
    expect(await verify(sign(key, claims({ pwd_expired: false })))).not.toHaveProperty('passwordExpired')
  })

  it('states that a second factor has to be set up', async () => {
    expect(await verify(sign(key, claims({ second_factor_missing: true })))).toMatchObject({ userId: 41n, secondFactorMissing: true })
    expect(await verify(sign(key, claims({ second_factor_missing: false })))).not.toHaveProperty('secondFactorMissing')
  })

  it('is verified synchronously when the key is known', () => {
    expect(newVerifier().verify(sign(key), 'expert')).not.toBeInstanceOf(Promise)
  })
})

describe('a token that is refused', () => {
  const [head = '', body = '', signature = ''] = sign(key).split('.')
  const publicPem = key.publicKey.export({ type: 'spki', format: 'pem' })
  const hmacHead = part({ alg: 'HS256', kid: 'k1', typ: 'JWT' })
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  it.each([
    ['nothing', ''],
    ['garbage', 'garbage'],
    ['garbage in three parts', 'a.b.c'],
    ['a payload that is not JSON', `${head}.${Buffer.from('nope').toString('base64url')}.${signature}`],
    ['four parts', `${head}.${body}.${signature}.x`],
    ['a head that is a text', `${part('RS256')}.${body}.${signature}`],
    ['no algorithm', `${part({ alg: 'none', kid: 'k1' })}.${body}.`],
    ['the algorithm none in another spelling', `${part({ alg: 'nOnE', kid: 'k1' })}.${body}.`],
    [
      'HS256 with the public key as the secret',
      `${hmacHead}.${body}.${createHmac('sha256', publicPem).update(`${hmacHead}.${body}`).digest('base64url')}`,
    ],
    ['RS512', sign(key, claims(), { algorithm: 'RS512' })],
    ['PS256', sign(key, claims(), { algorithm: 'PS256' })],
    ['ES256', sign({ ...key, privateKey: elliptic.privateKey }, claims(), { algorithm: 'ES256' })],
    ['no signature', `${head}.${body}.`],
    ['another body', `${head}.${part(claims({ role: 1 }))}.${signature}`],
    ['a key of another issuer under a known key id', sign(stranger)],
    ['a key id that is unknown', sign(key, claims(), { keyid: 'k2' })],
    ['an empty key id', sign(key, claims(), { keyid: '' })],
    ['no key id', sign(key, claims(), { header: { alg: 'RS256', kid: undefined } })],
    [
      'a key of its own',
      sign(stranger, claims(), { header: { alg: 'RS256', jwk: stranger.publicKey.export({ format: 'jwk' }) } as never }),
    ],
    ...['id+jwt', 'dpop+jwt', 'logout+jwt', '', undefined].map((typ): [string, string] => [
      `the type ${typ}`,
      sign(key, claims(), { header: { alg: 'RS256', kid: 'k1', typ } }),
    ]),
    ['a type that is no text', sign(key, claims(), { header: { alg: 'RS256', kid: 'k1', typ: ['JWT'] } as never })],
    ['an expired password that is not a flag', sign(key, claims({ pwd_expired: 'yes' }))],
    ['a critical extension', sign(key, claims(), { header: { alg: 'RS256', crit: ['b64'] } })],
    ['another issuer', sign(key, claims({ iss: 'https://elsewhere' }))],
    ['no issuer', sign(key, claims({ iss: undefined }))],
    ['the other audience', sign(key, claims({ aud: 'client', customer_id: null, role: 5 }))],
    ['two audiences', sign(key, claims({ aud: ['expert', 'client'] }))],
    ['no audience', sign(key, claims({ aud: undefined }))],
    ['expired', sign(key, claims({ exp: nowSeconds() - 1 }))],
    ['expiring this second', sign(key, claims({ exp: nowSeconds() }))],
    ['no expiry', sign(key, claims({ exp: undefined }))],
    ['not yet valid', sign(key, claims({ nbf: nowSeconds() + 30 }))],
    ['no subject', sign(key, claims({ sub: undefined }))],
    ['a subject that is no id', sign(key, claims({ sub: '0' }))],
    ['no session', sign(key, claims({ sid: undefined }))],
    ['no token id', sign(key, claims({ jti: undefined }))],
    ['no office', sign(key, claims({ customer_id: undefined }))],
    ['an office that is no id', sign(key, claims({ customer_id: '7; DROP' }))],
    ['an office as a number', sign(key, claims({ customer_id: 7 }))],
    ['an unknown role', sign(key, claims({ role: 6 }))],
    ['a role as a text', sign(key, claims({ role: '2' }))],
    ['an employee without an office', sign(key, claims({ customer_id: null }))],
    ['a technical account with an office', sign(key, claims({ role: 0 }))],
    ['a client at the address of employees', sign(key, claims({ role: 5, customer_id: null }))],
  ])('%s', async (_, token) => {
    await expect(verify(token)).rejects.toMatchObject(refusal)
  })

  it.each([
    ['an employee', { aud: 'client' }],
    ['a technical account', { aud: 'client', role: 0, customer_id: null }],
    ['a client with an office', { aud: 'client', role: 5 }],
  ])('%s at the address of clients', async (_, over) => {
    await expect(verify(sign(key, claims(over)), 'client')).rejects.toMatchObject(refusal)
  })
})

describe('a token that was verified before', () => {
  it('is refused from the second of its expiry on', async () => {
    let now = Date.now()
    const ageing = createTokenVerifier({ keys: new KeySet(new Map([['k1', key.publicKey]])), issuer, now: () => now })
    const token = sign(key, claims({ exp: nowSeconds() + 10 }))
    const expiry = (nowSeconds() + 10) * 1000
    expect(await ageing.verify(token, 'expert')).toMatchObject({ userId: 41n })
    now = expiry - 1
    expect(ageing.verify(token, 'expert')).toMatchObject({ userId: 41n })
    now = expiry
    expect(() => ageing.verify(token, 'expert')).toThrow(expect.objectContaining(refusal))
  })

  it('is still refused for the other audience', async () => {
    const [token, verifier] = [sign(key), newVerifier()]
    await verify(token, 'expert', verifier)
    await expect(verify(token, 'client', verifier)).rejects.toMatchObject(refusal)
  })

  it('is refused when its key is withdrawn', async () => {
    const keys = new KeySet(new Map([['k1', key.publicKey]]))
    const strict = createTokenVerifier({ keys, issuer })
    const token = sign(key)
    await strict.verify(token, 'expert')
    keys.replace(new Map([['k2', stranger.publicKey]]))
    await expect(Promise.resolve(strict.verify(token, 'expert'))).rejects.toMatchObject(refusal)
  })

  it('is not verified again while it is cached, and is after it was evicted', async () => {
    let looked = 0
    const keys = new KeySet(new Map([['k1', key.publicKey]]))
    const find = keys.find.bind(keys)
    keys.find = (kid) => {
      looked += 1
      return find(kid)
    }
    const small = createTokenVerifier({ keys, issuer, cacheSize: 2 })
    const [first = '', second = '', third = ''] = ['a', 'b', 'c'].map((jti) => sign(key, claims({ jti })))
    await small.verify(first, 'expert')
    await small.verify(first, 'expert')
    expect(looked).toBe(1)
    for (const token of [second, third, first]) await small.verify(token, 'expert')
    expect(looked).toBe(4)
  })
})
