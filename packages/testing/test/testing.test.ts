import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import { eventStream, eventually, type TestIssuer, testDatabase, testIssuer, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'

describe('eventually', () => {
  it('answers as soon as the check passes', async () => {
    let tries = 0
    const check = () => {
      tries += 1
      if (tries < 3) throw new Error('not yet')
      return tries
    }
    await expect(eventually(check, { everyMs: 1 })).resolves.toBe(3)
  })

  it('fails with the last error of the check', async () => {
    const check = () => {
      throw new Error('never')
    }
    await expect(eventually(check, { timeoutMs: 20, everyMs: 1 })).rejects.toThrow('never')
  })
})

describe('testDatabase', () => {
  const service = { name: 'testing', migrations: fileURLToPath(new URL('migrations', import.meta.url)) }

  it('gives each caller a migrated database of its own, used without privileges', async () => {
    const [one, other] = await Promise.all([testDatabase(service), testDatabase(service)])
    const client = new pg.Client({ connectionString: one.url })
    await client.connect()
    await client.query("INSERT INTO things (name) VALUES ('only here')")
    const { rows } = await client.query('SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user')
    await client.end()

    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreatedb: false }])
    expect(await one.rows('SELECT name FROM things')).toEqual([{ name: 'only here' }])
    expect(await other.rows('SELECT name FROM things')).toEqual([])
    await Promise.all([one.drop(), other.drop()])
    await expect(one.rows('SELECT')).rejects.toThrow('does not exist')
  })
})

describe('testIssuer', () => {
  let issuer: TestIssuer
  beforeAll(async () => {
    issuer = await testIssuer()
  })
  afterAll(() => issuer.stop())

  it('signs tokens that a service with the published keys accepts', async () => {
    const keys = KeySet.fromJwks(issuer.jwksUrl)
    const { trainee } = testTenant(issuer)
    const verifier = createTokenVerifier({ keys, issuer: issuer.issuer })
    expect(await verifier.verify(trainee.token, 'expert')).toEqual(trainee.caller)
    keys.stop()
  })

  it('signs expired tokens, which are refused', () => {
    const { caller } = testTenant(issuer).expert
    const verifier = createTokenVerifier({ keys: issuer.keys, issuer: issuer.issuer })
    expect(() => verifier.verify(issuer.tokenFor({ ...caller, expiresInSeconds: -1 }), 'expert')).toThrow('not valid')
  })
})

describe('eventStream', () => {
  it('returns each event once, whether it came before or after the call', async () => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/event-stream')
      response.write(`: hello\nid: 1\nevent: first\ndata: ${request.headers['last-event-id']}\n\n`)
      server.once('more', () => response.end('event: second\ndata: {}\n\n'))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const stream = await eventStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token', { lastEventId: '7' })
    const second = stream.next(({ event }) => event === 'second')

    expect(await stream.next()).toEqual({ id: '1', event: 'first', data: '7' })
    server.emit('more')
    expect((await second).data).toBe('{}')
    await stream.ended
    await expect(stream.next()).rejects.toThrow('Ended without the event')
    expect(stream.comments).toEqual(['hello'])
    server.close()
  })
})
