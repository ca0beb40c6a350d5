import { randomUUID } from 'node:crypto'
import { sessionTopic } from '@caseway/protos/topics'
import { httpClient } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { hashToken } from '../../src/tokens/refresh-token.js'
import { type Auth, startAuthService, type TokenAnswer } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const refresh = (refresh_token: string, address: 'expert' | 'client' = 'expert', client_id = auth.clientId) =>
  auth.token({ grant_type: 'refresh_token', client_id, refresh_token }, address)
const next = async (token: string) => {
  const { status, text, body } = await refresh(token)
  if (status !== 200) throw new Error(text)
  return body.refresh_token
}
const first = async () => (await auth.signIn((await auth.office()).expert)).refresh_token
const expectGone = async (token: string, address: 'expert' | 'client' = 'expert') => {
  const { status, body } = await refresh(token, address)
  expect([status, body]).toMatchObject([400, { error: 'invalid_grant', error_description: 'The refresh token is not valid.' }])
}
const sessionOf = ({ access_token }: TokenAnswer) => jwt.decode(access_token, { json: true })?.sid as string
/** Sets the time at which the token was exchanged. */
const usedAgo = (token: string, seconds: number) =>
  auth.database.rows(`UPDATE refresh_tokens SET used = now() - $2 * interval '1 second' WHERE hash = $1`, [hashToken(token), seconds])
const sessionOfToken = 'SELECT FROM sessions WHERE id = (SELECT session_id FROM refresh_tokens WHERE hash = $1) FOR UPDATE'
const endedOf = async (session: string) => (await auth.published(sessionTopic)).filter(({ key }) => key === session)

describe('a refresh token', () => {
  it('is exchanged for an access token of the same session and another refresh token', async () => {
    const { specialist } = await auth.office()
    const signedIn = await auth.signIn(specialist)
    const { status, body } = await refresh(signedIn.refresh_token)
    expect(status).toBe(200)
    expect(body).toEqual({ ...signedIn, access_token: expect.any(String), refresh_token: expect.any(String) })
    expect(body.refresh_token).not.toBe(signedIn.refresh_token)
    expect(body.access_token).not.toBe(signedIn.access_token)
    expect(sessionOf(body)).toBe(sessionOf(signedIn))
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  it('is also exchanged for a client', async () => {
    const signedIn = await auth.signIn(await auth.client(await auth.office()), 'client')
    const { status, body } = await refresh(signedIn.refresh_token, 'client')
    expect([status, body]).toMatchObject([200, { user_id: signedIn.user_id }])
  })

  it.each([undefined, ''])('identifies its application: %j in client_id', async (client_id) => {
    const { refresh_token } = await auth.signIn((await auth.office()).trainee)
    const request = { grant_type: 'refresh_token', client_id }
    const { status, body } = await auth.token({ ...request, refresh_token })
    expect([status, body]).toMatchObject([200, { refresh_token: expect.any(String) }])
    const { body: refused } = await auth.token({ ...request, refresh_token: 'made-up' })
    expect(refused).toMatchObject({ error: 'invalid_grant' })
    expect((await auth.token({ ...request, refresh_token: body.refresh_token }, 'client')).body).toMatchObject({ error: 'invalid_grant' })
  })

  it('gets a token with the present state of the person', async () => {
    const { administrator, trainee } = await auth.office()
    const { refresh_token } = await auth.signIn(trainee)
    const sent = [{ UserPermission: { key: 'reports.all', allowed: '1' } }]
    const { status } = await (await auth.asExpert(administrator)).put(`/user/${trainee.id}/permission`, sent)
    expect(status).toBe(200)
    expect((await refresh(refresh_token)).body.UserPermission).toEqual([{ key: 'reports.all', allowed: '1' }])
  })

  it('is valid for thirty days, as is its successor', async () => {
    const token = await first()
    const successor = await next(token)
    const [row] = await auth.database.rows<{ days: number }>(
      'SELECT round(extract(epoch FROM expires - now()) / 86400)::int AS days FROM refresh_tokens WHERE hash = $1',
      [hashToken(successor)],
    )
    expect(row).toEqual({ days: 30 })
    await auth.database.rows('UPDATE refresh_tokens SET expires = now() WHERE hash = $1', [hashToken(successor)])
    await expectGone(successor)
  })

  it('is valid for its application only', async () => {
    const token = await first()
    const other = randomUUID()
    await auth.service.administration.createApplication(other, 'first_party', 'Another frontend')
    expect((await refresh(token, 'expert', other)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await refresh(token)).status).toBe(200)
  })

  it('is valid on its address only', async () => {
    const office = await auth.office()
    const { refresh_token: ofClient } = await auth.signIn(await auth.client(office), 'client')
    const { refresh_token: ofExpert } = await auth.signIn(office.expert)
    await expectGone(ofClient)
    await expectGone(ofExpert, 'client')
    expect((await refresh(ofClient, 'client')).status).toBe(200)
    expect((await refresh(ofExpert)).status).toBe(200)
  })

  it('is stored as a hash, like its successor, and so are passwords', async () => {
    const { expert } = await auth.office()
    const { refresh_token: token } = await auth.signIn(expert)
    const secrets = [token, await next(token), expert.password]
    const tables = await auth.database.rows<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'kit')`,
    )
    expect(tables.length).toBeGreaterThan(13)
    for (const { name } of tables) {
      const [row] = await auth.database.rows<{ text: string }>(`SELECT string_agg(t::text, ' ') AS text FROM ${name} t`)
      for (const secret of secrets) {
        expect(row?.text ?? '').not.toContain(secret)
        expect(row?.text ?? '').not.toContain(Buffer.from(secret).toString('hex'))
      }
    }
    expect(await auth.database.rows('SELECT used FROM refresh_tokens WHERE hash = $1', [hashToken(token)])).toHaveLength(1)
  })
})

it('many concurrent first uses of a refresh token hold one connection, so that others can sign in', async () => {
  const { expert, trainee } = await auth.office()
  const { refresh_token: token } = await auth.signIn(expert)
  const holding = await holdTransaction(auth.database, sessionOfToken, [hashToken(token)])
  const answers = Array.from({ length: 50 }, () => refresh(token))
  await untilWaiting(auth.database, 1)
  expect((await refresh((await auth.signIn(trainee)).refresh_token)).status).toBe(200)
  await holding.rollback()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
})

it('of two copies one exchanges a refresh token, and the other one repeats its successor', async () => {
  const token = await first()
  const copy = await auth.copy()
  const holding = await holdTransaction(auth.database, sessionOfToken, [hashToken(token)])
  const parameters = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: token }
  const answers = [auth.service, copy].map(({ httpUrl }) => httpClient(`${httpUrl}/expert/rest`).post<TokenAnswer>('/token', parameters))
  await untilWaiting(auth.database, 2)
  await holding.rollback()
  const [one, other] = await Promise.all(answers)
  expect([one?.status, other?.status, other?.body.refresh_token]).toEqual([200, 200, one?.body.refresh_token])
})

it('a family that ends while its token is exchanged issues no other one', async () => {
  const signedIn = await auth.signIn((await auth.office()).expert)
  const holding = await holdTransaction(auth.database, 'UPDATE sessions SET ended = now() WHERE id = $1', [sessionOf(signedIn)])
  const answer = refresh(signedIn.refresh_token)
  await untilWaiting(auth.database, 1)
  await holding.commit()
  expect((await answer).body).toMatchObject({ error: 'invalid_grant' })
})

it('a family lives for ninety days, however often it is refreshed', async () => {
  const signedIn = await auth.signIn((await auth.office()).expert)
  const sid = sessionOf(signedIn)
  await auth.database.rows("UPDATE sessions SET created = now() - interval '89 days' WHERE id = $1", [sid])
  const successor = await next(signedIn.refresh_token)
  const left = 'round(extract(epoch FROM expires - now()) / 3600)::int AS hours'
  expect(await auth.database.rows(`SELECT ${left} FROM refresh_tokens WHERE hash = $1`, [hashToken(successor)])).toEqual([{ hours: 24 }])
  expect(await auth.database.rows(`SELECT ${left} FROM sessions WHERE id = $1`, [sid])).toEqual([{ hours: 24 }])
})

describe('a refresh token that was exchanged already', () => {
  it('gets the same successor within twenty seconds, because the answer may have been lost', async () => {
    const token = await first()
    const successor = await next(token)
    await usedAgo(token, 18)
    expect(await next(token)).toBe(successor)
    expect((await refresh(successor)).status).toBe(200)
  })

  it('ends the family after twenty seconds', async () => {
    const signedIn = await auth.signIn((await auth.office()).expert)
    const successor = await next(signedIn.refresh_token)
    await usedAgo(signedIn.refresh_token, 21)
    await expectGone(signedIn.refresh_token)
    await expectGone(successor)
    expect(await endedOf(sessionOf(signedIn))).toHaveLength(1)
  })

  it('ends the family when its successor has been used', async () => {
    const token = await first()
    const successor = await next(token)
    const newest = await next(successor)
    await expectGone(token)
    await expectGone(newest)
  })

  it('is counted when it ends a family, but not when it is repeated in time or unknown', async () => {
    const reuses = () => auth.figure('refresh_token_reuse_total')
    const before = await reuses()
    const token = await first()
    const successor = await next(token)
    await next(token)
    await expectGone('never-given')
    expect(await reuses()).toBe(before)
    await next(successor)
    await expectGone(token)
    await expectGone(token)
    expect(await reuses()).toBe(before + 1)
  })

  it('ends no other family', async () => {
    const { expert } = await auth.office()
    const [{ refresh_token: one }, { refresh_token: other }] = [await auth.signIn(expert), await auth.signIn(expert)]
    await next(one)
    await usedAgo(one, 21)
    await expectGone(one)
    expect((await refresh(other)).status).toBe(200)
  })

  it('ends the family after twenty seconds also if it was never repeated', async () => {
    const signedIn = await auth.signIn((await auth.office()).expert)
    await next(signedIn.refresh_token)
    await usedAgo(signedIn.refresh_token, 20.5)
    await expectGone(signedIn.refresh_token)
    expect(await endedOf(sessionOf(signedIn))).toHaveLength(1)
  })

  it('waits for no lock within the grace period', async () => {
    const token = await first()
    const successor = await next(token)
    const holding = await holdTransaction(
      auth.database,
      'SELECT FROM sessions JOIN refresh_tokens ON session_id = id WHERE hash = $1 FOR UPDATE',
      [hashToken(token)],
    )
    expect(holding.rowCount).toBe(1)
    expect(await next(token)).toBe(successor)
    await holding.rollback()
  })

  it('gets one successor for two hundred concurrent requests, and the family remains', async () => {
    const token = await first()
    const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const successors = new Set(answers.map(({ body }) => body.refresh_token))
    expect(successors.size).toBe(1)
    expect((await refresh([...successors][0] as string)).status).toBe(200)
  })
})
