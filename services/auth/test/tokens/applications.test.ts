import { randomUUID } from 'node:crypto'
import { sessionTopic } from '@caseway/protos/topics'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { type Auth, startAuthService, type TokenAnswer } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const administration = () => auth.service.administration

async function application(kind: 'first_party' | 'technical') {
  const id = randomUUID()
  const { secret } = await administration().createApplication(id, kind, 'A program')
  return { id, secret: secret as string }
}

const byCredentials = ({ id, secret }: { id: string; secret: string }) =>
  auth.token({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
const signInWith = async (client_id: string) => {
  const { username, password } = (await auth.office()).expert
  return auth.token({ grant_type: 'password', client_id, username, password })
}
/** A refresh without `client_id`. */
const refresh = ({ refresh_token }: TokenAnswer) => auth.token({ grant_type: 'refresh_token', refresh_token })
const hasEnded = async ({ access_token }: TokenAnswer) => {
  const id = jwt.decode(access_token, { json: true })?.sid as string
  return (await auth.published(sessionTopic)).filter(({ key }) => key === id).length === 1
}
const trailOf = (id: string) =>
  auth.database.rows('SELECT kind, actor, customer_id, details FROM audit_events WHERE subject = $1 ORDER BY id', [`application:${id}`])

describe('an application that is deleted', () => {
  it('gets no more tokens, and its sessions end, with an entry in the audit trail', async () => {
    const [frontend, other] = [await application('first_party'), await application('first_party')]
    const [own, its] = [(await signInWith(frontend.id)).body, (await signInWith(other.id)).body]
    expect(await administration().deleteApplication(frontend.id)).toBe(1)
    expect([await hasEnded(own), await hasEnded(its)]).toEqual([true, false])
    expect((await refresh(own)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await refresh(its)).status).toBe(200)
    expect((await signInWith(frontend.id)).body).toMatchObject({ error: 'invalid_client' })
    expect(await trailOf(frontend.id)).toEqual([
      expect.objectContaining({ kind: 'application.created' }),
      { kind: 'application.deleted', actor: 'command line', customer_id: null, details: {} },
    ])
  })

  it('invalidates its own tokens if it is an external one', async () => {
    const platform = await application('technical')
    const { body } = await byCredentials(platform)
    await administration().deleteApplication(platform.id)
    expect(await hasEnded(body)).toBe(true)
    expect((await byCredentials(platform)).body).toMatchObject({ error: 'invalid_client' })
  })

  it('leaves no session of a concurrent sign-in', async () => {
    const frontend = await application('first_party')
    const { body } = await signInWith(frontend.id)
    await auth.database.rows('DELETE FROM applications WHERE client_id = $1', [frontend.id])
    expect((await refresh(body)).body).toMatchObject({ error: 'invalid_grant' })
  })

  it('must exist', async () => {
    const id = randomUUID()
    await expect(administration().deleteApplication(id)).rejects.toMatchObject({ kind: 'not-found' })
    expect(await trailOf(id)).toEqual([])
  })
})

describe('a renewed secret', () => {
  it('ends the sessions that were begun with the old one', async () => {
    const platform = await application('technical')
    const { body } = await byCredentials(platform)
    const secret = await administration().renewSecret(platform.id)
    expect(await hasEnded(body)).toBe(true)
    expect((await byCredentials(platform)).body).toMatchObject({ error: 'invalid_client' })
    const renewed = await byCredentials({ ...platform, secret })
    expect([renewed.status, await hasEnded(renewed.body)]).toEqual([200, false])
  })

  it('requires an existing external application', async () => {
    const [frontend, nobody] = [await application('first_party'), randomUUID()]
    await expect(administration().renewSecret(frontend.id)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(administration().renewSecret(nobody)).rejects.toMatchObject({ kind: 'not-found' })
    expect((await trailOf(frontend.id)).map(({ kind }) => kind)).toEqual(['application.created'])
    expect(await trailOf(nobody)).toEqual([])
  })
})
