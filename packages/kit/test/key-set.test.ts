import { generateKeyPairSync } from 'node:crypto'
import type { Caller } from '@caseway/kit/caller'
import { createLog } from '@caseway/kit/observability'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import { eventually } from '@caseway/testing/eventually'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { readJwks } from '../src/tokens/jwks.js'
import { claims, issuer, JwksServer, jwkOf, sign, signingKey } from './support/jwks-server.js'

const [first, second] = [signingKey('first'), signingKey('second')]
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

async function setUp({ start = true, ...options }: { start?: boolean; refreshMs?: number; coolDownMs?: number; timeoutMs?: number } = {}) {
  const server = await new JwksServer(first).start()
  if (!start) await server.stop()
  const warnings: string[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void warnings.push(line) } })
  const keys = KeySet.fromJwks(server.url, { log, coolDownMs: 50, timeoutMs: 200, ...options })
  cleanUps.push(
    () => server.stop(),
    () => keys.stop(),
  )
  const verifier = createTokenVerifier({ keys, issuer })
  const verify = async (token: string): Promise<Caller> => verifier.verify(token, 'expert')
  return { server, keys, verify, warnings }
}

describe('keys that are fetched', () => {
  it('are available for the first token', async () => {
    const { verify } = await setUp()
    expect(await verify(sign(first))).toMatchObject({ userId: 41n })
  })

  it('are taken from whichever copy answers', async () => {
    const [dead, alive] = [await new JwksServer(first).start(), await new JwksServer(first).start()]
    await dead.stop()
    const keys = KeySet.fromJwks([dead.url, alive.url])
    cleanUps.push(
      () => alive.stop(),
      () => keys.stop(),
    )
    expect(await createTokenVerifier({ keys, issuer }).verify(sign(first), 'expert')).toMatchObject({ userId: 41n })
  })

  it('do not keep the first tokens waiting for more than the first fetch', async () => {
    const { server, verify } = await setUp({ coolDownMs: 5_000, refreshMs: 5_000 })
    await Promise.all([
      verify(sign(first)),
      eventually(
        () => {
          expect(server.fetches).toBe(1)
          return verify(sign(first, claims({ jti: 'while the fetch is under way' })))
        },
        { everyMs: 1 },
      ),
    ])
    expect(server.fetches).toBe(1)
  })

  it('include a key that has just been published, without one refused token', async () => {
    const { server, verify } = await setUp({ coolDownMs: 200 })
    await verify(sign(first))
    const rotating = Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        if (index === 10) server.keys = [first, second]
        return verify(sign(index < 10 ? first : second, claims({ jti: String(index) })))
      }),
    )
    expect(await rotating).toHaveLength(40)
    expect(server.fetches).toBeLessThanOrEqual(3)
  })

  it('are fetched rarely for unknown keys, however many tokens have one', async () => {
    const { server, verify } = await setUp({ coolDownMs: 100 })
    await verify(sign(first))
    const forged = Array.from({ length: 200 }, (_, index) => verify(sign(second, claims(), { keyid: `forged-${index}` })))
    const outcomes = await Promise.allSettled(forged)
    expect(
      outcomes.every(
        ({ status, reason }: { status: string; reason?: { code: string } }) => status === 'rejected' && reason?.code === 'TOKEN_INVALID',
      ),
    ).toBe(true)
    expect(server.fetches).toBeLessThanOrEqual(3)
  })

  it('are fetched once per cool-down, however fast unknown keys come', async () => {
    const startedAt = performance.now()
    const { server, verify } = await setUp({ coolDownMs: 100 })
    await verify(sign(first))
    for (const keyid of ['a', 'b', 'c']) await verify(sign(second, claims(), { keyid })).catch(() => {})
    expect(server.fetches).toBe(4)
    expect(performance.now() - startedAt).toBeGreaterThan(250)
  })

  it('cause one warning per outage', async () => {
    const { server, verify, warnings } = await setUp({ refreshMs: 10, coolDownMs: 10 })
    await verify(sign(first))
    for (const outage of [1, 2]) {
      const before = server.fetches
      server.answer = 'error'
      await eventually(() => expect(server.fetches).toBeGreaterThan(before + 3))
      expect(warnings).toHaveLength(outage)
      server.answer = 'keys'
      await eventually(() => expect(server.fetches).toBeGreaterThan(before + 8))
    }
  })

  it('lose a withdrawn key at the next refresh', async () => {
    const { server, verify } = await setUp({ refreshMs: 60 })
    const token = sign(first)
    await verify(token)
    server.keys = [second]
    await eventually(() => expect(verify(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' }))
  })

  it.each(['down', 'error', 'nonsense', 'nothing', 'hang'] as const)(
    'stay when auth is %s, while a token of an unknown key is answered as unavailable',
    async (answer) => {
      const { server, keys, verify } = await setUp({ refreshMs: 20 })
      await verify(sign(first))
      if (answer === 'down') await server.stop()
      else server.answer = answer
      await expect(keys.refresh()).rejects.toThrow()
      expect(await verify(sign(first, claims({ jti: 'new' })))).toMatchObject({ userId: 41n })
      await expect(verify(sign(second))).rejects.toMatchObject({ kind: 'unavailable' })
    },
  )

  it('are fetched every thirty seconds, so that a key that is withdrawn is refused within a minute', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout')
    cleanUps.push(() => timers.mockRestore())
    const { verify } = await setUp()
    await verify(sign(first))
    await eventually(() => expect(timers.mock.calls.map(([, delay]) => delay)).toContain(30_000))
  })

  it('are fetched as soon as auth is up', async () => {
    const { server, keys, verify, warnings } = await setUp({ start: false })
    await expect(verify(sign(first))).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    expect(keys.size).toBe(0)
    await server.start()
    await eventually(() => expect(keys.size).toBe(1))
    expect(await verify(sign(first))).toMatchObject({ userId: 41n })
    expect(warnings).toHaveLength(1)
  })

  it('are not fetched any more after a stop', async () => {
    const { server, keys, verify } = await setUp({ refreshMs: 10 })
    await verify(sign(first))
    keys.stop()
    await expect(keys.refresh()).rejects.toThrow()
    const before = server.fetches
    await expect(verify(sign(second))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(server.fetches).toBe(before)
  })
})

describe('a set of keys', () => {
  it('increments its generation only when it changes', () => {
    const keys = new KeySet(new Map([['first', first.publicKey]]))
    keys.replace(readJwks({ keys: [jwkOf(first)] }))
    expect(keys.generation).toBe(0)
    keys.replace(readJwks({ keys: [jwkOf({ ...second, kid: 'first' })] }))
    expect(keys.generation).toBe(1)
  })

  it('of its owner fetches nothing', async () => {
    const keys = new KeySet(new Map([['first', first.publicKey]]))
    expect(await keys.lookUp('first')).toBe(first.publicKey)
    expect(await keys.lookUp('second')).toBeUndefined()
  })
})

describe('a JWK Set', () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })

  it('is read by key id, and unsuitable keys are ignored', () => {
    const others = [
      { kty: 'EC', kid: 'ec', crv: 'P-256' },
      { ...jwkOf(first), kid: 'for-encryption', use: 'enc' },
      { ...jwkOf(first), kid: 'other-algorithm', alg: 'RS512' },
      { ...jwkOf(first), kid: undefined },
      { ...small.publicKey.export({ format: 'jwk' }), kid: 'small' },
      { kty: 'RSA', kid: 'broken', n: 5 },
      null,
    ]
    expect([...readJwks({ keys: [...others, jwkOf(first)] }).keys()]).toEqual(['first'])
  })

  it('yields only the public part of a private key that was published by mistake', () => {
    const key = readJwks({ keys: [{ ...first.privateKey.export({ format: 'jwk' }), kid: 'whole' }] }).get('whole')
    expect(key?.type).toBe('public')
  })

  it.each([null, 'x', {}, { keys: 'x' }, { keys: [] }, { keys: [{ kty: 'EC', kid: 'ec' }] }])('cannot be %j', (body) => {
    expect(() => readJwks(body)).toThrow()
  })
})
