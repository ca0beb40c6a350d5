import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { caseway, documentOf, installationWithAuth } from './support/installation.js'

const { place, auth, stop } = await installationWithAuth()
afterAll(stop)

describe('application create', () => {
  const create = (clientId: string, kind: string) =>
    place.caseway('application', 'create', '--client-id', clientId, '--name', 'A program', '--kind', kind, '--json')

  it('lets a frontend request tokens without a secret, and an external platform with one', async () => {
    const [frontend, platform] = [randomUUID(), randomUUID()]
    expect(documentOf(await create(frontend, 'first_party'))).toEqual({ client_id: frontend, client_secret: null })
    const made = documentOf(await create(platform, 'technical'))
    expect(made).toEqual({ client_id: platform, client_secret: expect.stringMatching(/^.{43}$/) })
    expect(
      await place.auth.rows('SELECT kind, secret_hash IS NULL AS open FROM applications WHERE client_id = ANY($1) ORDER BY kind', [
        [frontend, platform],
      ]),
    ).toEqual([
      { kind: 'first_party', open: true },
      { kind: 'technical', open: false },
    ])
  })

  it('creates only one of two concurrent ones, and reports the other', async () => {
    const clientId = randomUUID()
    const results = await Promise.all([create(clientId, 'technical'), create(clientId, 'technical')])
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(results.find(({ code }) => code === 1)?.err).toBe(`There is an application ${clientId} already.`)
  })

  it('does not change an existing one, and reports invalid arguments', async () => {
    const clientId = randomUUID()
    await create(clientId, 'technical')
    expect(await create(clientId, 'first_party')).toMatchObject({ code: 1, err: `There is an application ${clientId} already.` })
    expect(await place.auth.rows('SELECT kind FROM applications WHERE client_id = $1', [clientId])).toEqual([{ kind: 'technical' }])
    expect(await create(randomUUID(), 'public')).toMatchObject({ code: 2 })
    expect(await create('', 'technical')).toMatchObject({ code: 2 })
  })
})

describe('key rotate', () => {
  it('creates a key that is published and signs', async () => {
    const { kid } = documentOf(await place.caseway('key', 'rotate', '--json'))
    const { keys } = (await (await fetch(`${auth.service.httpUrl}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    expect(keys.map((key) => key.kid)).toContain(kid)
    const { out } = await place.caseway('key', 'rotate')
    expect(out).toMatch(/^Key \S+ signs from now on\./)
    expect(out).not.toContain(kid)
  })
  it('revokes the other keys on request', async () => {
    const { kid, revoked } = documentOf(await place.caseway('key', 'rotate', '--revoke', '--json'))
    const { keys } = (await (await fetch(`${auth.service.httpUrl}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    expect([keys.map((key) => key.kid), revoked]).toEqual([[kid], true])
  })

  it('fails with another secret', async () => {
    const kids = () => place.auth.rows('SELECT kid FROM signing_keys ORDER BY kid')
    const before = await kids()
    const env = { ...place.env, AUTH_SECRET: randomBytes(32).toString('base64') }
    expect(await caseway(env, 'key', 'rotate')).toEqual({
      code: 1,
      out: '',
      err: 'AUTH_SECRET is not the secret that sealed the signing-keys of this database.',
    })
    expect(await kids()).toEqual(before)
  })
})

describe('secret rotate', () => {
  it('encrypts the keys with the new secret, which the installation then needs', async () => {
    const next = randomBytes(32).toString('base64')
    const both = { ...place.env, AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: place.env.AUTH_SECRET }
    expect(documentOf(await caseway(both, 'secret', 'rotate', '--json'))).toEqual({ keys: expect.any(Number), second_factors: 0 })
    expect(await caseway({ ...place.env, AUTH_SECRET: next }, 'key', 'rotate')).toMatchObject({ code: 0, err: '' })
    expect(await place.caseway('key', 'rotate')).toMatchObject({ code: 1 })
    const back = { ...place.env, AUTH_SECRET_PREVIOUS: next }
    expect(documentOf(await caseway(back, 'secret', 'rotate', '--json'))).toMatchObject({ keys: expect.any(Number) })
    expect(await place.caseway('key', 'rotate')).toMatchObject({ code: 0 })
  })
})
