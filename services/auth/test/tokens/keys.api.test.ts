import { createPublicKey, randomBytes } from 'node:crypto'
import { eventually, httpClient } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { type Auth, issuer, type RunningAuth, startAuthService, type TokenAnswer } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

type Jwk = Record<string, string>
const jwks = async ({ httpUrl } = auth.service) => (await httpClient(httpUrl).get<{ keys: Jwk[] }>('/.well-known/jwks.json')).body.keys
const kids = async (service = auth.service) => (await jwks(service)).map(({ kid }) => kid).sort()
const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid as string
const worksAt = async (token: string, { httpUrl } = auth.service) =>
  (await httpClient(`${httpUrl}/expert/rest`, token).get('/user/me')).status
const signIn = async () => (await auth.signIn((await auth.office()).expert)).access_token

describe('GET /.well-known/jwks.json', () => {
  it('returns the public keys that verify the tokens, without a token', async () => {
    const { status, headers, body } = await httpClient(auth.service.httpUrl).get<{ keys: Jwk[] }>('/.well-known/jwks.json')
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)])
    for (const key of body.keys) {
      expect(key).toEqual({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String), n: expect.any(String), e: 'AQAB' })
    }
    const token = await signIn()
    const key = body.keys.find(({ kid }) => kid === kidOf(token)) as Jwk
    const publicKey = createPublicKey({ key, format: 'jwk' })
    expect(jwt.verify(token, publicKey, { algorithms: ['RS256'], issuer, audience: 'expert' })).toMatchObject({ role: 2 })
    expect(publicKey.asymmetricKeyDetails?.modulusLength).toBeGreaterThanOrEqual(2048)
  })
})

describe('a new key', () => {
  it('signs from then on, and tokens of the previous one remain valid', async () => {
    const before = await signIn()
    await auth.service.administration.rotateKeys()
    const after = await signIn()
    expect(kidOf(after)).not.toBe(kidOf(before))
    expect(await kids()).toEqual(expect.arrayContaining([kidOf(before), kidOf(after)]))
    expect([await worksAt(before), await worksAt(after)]).toEqual([200, 200])
  })

  it('is accepted at once by another copy, which signs with it as well', async () => {
    const copy = await auth.copy()
    expect(await kids(copy)).toEqual(await kids())
    await auth.service.administration.rotateKeys()
    const token = await signIn()
    expect(await worksAt(token, copy)).toBe(200)
    await copy.administration.rotateKeys()
    await worksAt(await signIn())
    expect(await kids(copy)).toEqual(await kids())
  })

  it('replaces a key that does not sign yet, which never will', async () => {
    await auth.database.rows("UPDATE signing_keys SET signs_from = now() + interval '5 minutes' WHERE expires IS NULL")
    const [waiting] = await auth.database.rows<{ kid: string }>('SELECT kid FROM signing_keys WHERE expires IS NULL')
    expect(await kids()).toContain(waiting?.kid)
    await auth.service.administration.rotateKeys()
    expect(await kids()).not.toContain(waiting?.kid)
  })

  it('is made by one of several starting copies when rotation is due, and is published before it signs', async () => {
    const { kid } = (await auth.database.rows<{ kid: string }>('SELECT kid FROM signing_keys WHERE expires IS NULL'))[0] as { kid: string }
    await auth.database.rows("UPDATE signing_keys SET signs_from = now() - interval '31 days'")
    const copies = await Promise.all([auth.copy(), auth.copy()])
    const rows = await auth.database.rows(
      "SELECT kid, signs_from > now() + interval '9 minutes' AS waits FROM signing_keys WHERE signs_from > now() - interval '30 days'",
    )
    expect(rows).toEqual([{ kid: expect.any(String), waits: true }])
    for (const copy of copies) expect(await kids(copy)).toEqual(expect.arrayContaining([rows[0]?.kid, kid]))
  })

  it('outlives the previous one, whose tokens are then refused', async () => {
    const old = await signIn()
    await auth.service.administration.rotateKeys()
    await auth.database.rows('UPDATE signing_keys SET expires = now() WHERE kid = $1', [kidOf(old)])
    expect(await kids()).not.toContain(kidOf(old))
    expect(await worksAt(old)).toBe(401)
    await auth.service.administration.rotateKeys()
    expect(await auth.database.rows('SELECT kid FROM signing_keys WHERE kid = $1', [kidOf(old)])).toEqual([])
  })
})

describe('a new key that revokes the others', () => {
  it('is the only published one, and tokens of the others are refused by every copy', async () => {
    const copy = await auth.copy()
    const old = await signIn()
    expect([await worksAt(old), await worksAt(old, copy)]).toEqual([200, 200])
    const kid = await auth.service.administration.rotateKeys({ revoke: true })
    expect([await kids(), await kids(copy)]).toEqual([[kid], [kid]])
    expect(await worksAt(old)).toBe(401)
    await eventually(async () => expect(await worksAt(old, copy)).toBe(401))
  })

  it('signs in every copy at once, also for refresh tokens', async () => {
    const copy = await auth.copy()
    const { refresh_token } = await auth.signIn((await auth.office()).expert)
    const kid = await auth.service.administration.rotateKeys({ revoke: true })
    const refresh = (token: string) => {
      const parameters = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: token }
      return httpClient(`${copy.httpUrl}/expert/rest`).post<TokenAnswer>('/token', parameters)
    }
    await eventually(async () => expect(kidOf((await refresh(refresh_token)).body.access_token)).toBe(kid))
  })

  it('is recorded in the audit trail', async () => {
    const kid = await auth.service.administration.rotateKeys({ revoke: true })
    const entries = "SELECT kind, actor, details FROM audit_events WHERE subject = 'signing_key:' || $1"
    expect(await auth.database.rows(entries, [kid])).toEqual([
      { kind: 'key.rotated', actor: 'command line', details: { reason: 'revoked' } },
    ])
  })
})

describe('another AUTH_SECRET', () => {
  const newSecret = () => randomBytes(32).toString('base64')
  const copies: RunningAuth[] = []
  const copyWith = async (variables: Record<string, string>) => {
    const copy = await auth.copy(variables)
    copies.push(copy)
    return copy
  }
  // A copy that kept running would rotate the keys with a secret that the others do not have.
  afterEach(() => Promise.all(copies.splice(0).map((copy) => copy.stop())))

  const exchanged = async (token: string, { httpUrl } = auth.service) => {
    const parameters = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: token }
    const { status, body } = await httpClient(`${httpUrl}/expert/rest`).post<TokenAnswer>('/token', parameters)
    return { status, successor: body.refresh_token }
  }

  it('replaces the old one while copies with that still run', async () => {
    const [old, next] = [auth.secret, newSecret()]
    const token = await signIn()
    const rotating = await copyWith({ AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: old })
    expect([await worksAt(token), await worksAt(token, rotating)]).toEqual([200, 200])
    await expect(auth.copy({ AUTH_SECRET: next })).rejects.toThrow('AUTH_SECRET is not the secret')
    expect((await rotating.administration.reseal()).keys).toBeGreaterThan(0)
    expect((await rotating.administration.reseal()).keys).toBe(0)
    const alone = await copyWith({ AUTH_SECRET: next })
    expect(await worksAt(token, alone)).toBe(200)
    // Back to the secret of the other tests.
    const back = await copyWith({ AUTH_SECRET: old, AUTH_SECRET_PREVIOUS: next })
    expect((await back.administration.reseal()).keys).toBeGreaterThan(0)
  })

  it('repeats the successor of a refresh token that was derived from the old one', async () => {
    const { refresh_token } = await auth.signIn((await auth.office()).expert)
    const { successor } = await exchanged(refresh_token)
    const rotating = await copyWith({ AUTH_SECRET: newSecret(), AUTH_SECRET_PREVIOUS: auth.secret })
    expect(await exchanged(refresh_token, rotating)).toEqual({ status: 200, successor })
    expect(await exchanged(successor, rotating)).toMatchObject({ status: 200 })
  })

  it('ends no family at a copy that does not have it yet: 503, and another copy repeats the successor', async () => {
    const { refresh_token } = await auth.signIn((await auth.office()).expert)
    const rotating = await copyWith({ AUTH_SECRET: newSecret(), AUTH_SECRET_PREVIOUS: auth.secret })
    const { successor } = await exchanged(refresh_token, rotating)
    expect(await exchanged(refresh_token)).toMatchObject({ status: 503 })
    expect(await exchanged(refresh_token, rotating)).toEqual({ status: 200, successor })
  })
})

it('a key is rotated once over all copies, and the new one is published before it signs', async () => {
  const copy = await auth.copy()
  const before = kidOf(await signIn())
  await auth.database.rows("UPDATE signing_keys SET signs_from = now() - interval '31 days' WHERE expires IS NULL")
  const known = await kids()
  await auth.database.rows("UPDATE kit.schedule SET next = now() WHERE name = 'key-rotation'")
  const added = await eventually(async () => {
    const [kid, ...more] = (await kids(copy)).filter((kid) => !known.includes(kid))
    expect([kid !== undefined, more]).toEqual([true, []])
    return kid
  })
  const [row] = await auth.database.rows<{ ahead: boolean }>(
    "SELECT signs_from BETWEEN now() + interval '9 minutes' AND now() + interval '10 minutes' AS ahead FROM signing_keys WHERE kid = $1",
    [added],
  )
  expect(row?.ahead).toBe(true)
  expect(kidOf(await signIn())).toBe(before)
})

it('the key set has an entity tag, which changes with the keys', async () => {
  const read = (headers = {}) => httpClient(auth.service.httpUrl).get('/.well-known/jwks.json', headers)
  const etag = (await read()).headers.get('etag') ?? ''
  expect((await read({ 'if-none-match': etag })).status).toBe(304)
  await auth.service.administration.rotateKeys()
  expect((await read({ 'if-none-match': etag })).status).toBe(200)
})

describe('the private keys', () => {
  it('are encrypted in the database', async () => {
    const rows = await auth.database.rows<{ private_key: Buffer; public_jwk: Jwk }>('SELECT private_key, public_jwk FROM signing_keys')
    expect(rows.length).toBeGreaterThan(0)
    for (const { private_key, public_jwk } of rows) {
      expect(Object.keys(public_jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
      // The modulus is a part of every form of a private key.
      expect(private_key.includes(Buffer.from(public_jwk.n as string, 'base64url'))).toBe(false)
    }
  })

  it('cannot be decrypted with another AUTH_SECRET, and the service does not start', async () => {
    await expect(auth.copy({ AUTH_SECRET: Buffer.alloc(32, 1).toString('base64') })).rejects.toThrow(
      'AUTH_SECRET is not the secret that sealed the signing-keys of this database.',
    )
  })

  it('require a secret of 32 bytes', async () => {
    await expect(auth.copy({ AUTH_SECRET: 'c2hvcnQ=' })).rejects.toThrow('AUTH_SECRET must be 32 random bytes in base64.')
  })
})

it('a token with an unknown key gets 401', async () => {
  const [, payload, signature] = (await signIn()).split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid: 'made-up' })).toString('base64url')
  expect(await worksAt(`${header}.${payload}.${signature}`)).toBe(401)
})
