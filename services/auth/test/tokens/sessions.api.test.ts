import { randomUUID } from 'node:crypto'
import { sessionTopic } from '@caseway/protos/topics'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { type Auth, type Login, type Office, startAuthService, type TokenAnswer } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const sessionOf = ({ access_token }: Pick<TokenAnswer, 'access_token'>) => jwt.decode(access_token, { json: true })?.sid as string
const endedOf = async (session: string) =>
  (await auth.published(sessionTopic)).filter(({ key }) => key === session).map(({ event }) => event)
const canGoOn = async ({ refresh_token }: TokenAnswer, address: 'expert' | 'client' = 'expert') =>
  (await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token }, address)).status === 200

/** For each session, whether it has ended, and was published once. */
async function whichEnded(...signedIn: TokenAnswer[]): Promise<boolean[]> {
  const ended: boolean[] = []
  for (const each of signedIn) {
    const events = await endedOf(sessionOf(each))
    expect([0, 1]).toContain(events.length)
    expect(await canGoOn(each)).toBe(events.length === 0)
    ended.push(events.length === 1)
  }
  return ended
}

describe('DELETE /rest/token', () => {
  it.each(['expert', 'client'] as const)(
    'ends the whole family on the address of an %s, and publishes until when its tokens are valid',
    async (address) => {
      const office = await auth.office()
      const person = address === 'expert' ? office.trainee : await auth.client(office)
      const signedIn = await auth.signIn(person, address)
      const other = await auth.signIn(person, address)
      const refreshed = await auth.token(
        { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: signedIn.refresh_token },
        address,
      )
      const http = await (address === 'expert' ? auth.asExpert(person) : auth.asClient(person))
      const before = Date.now()
      const { status, body } = await http.as(refreshed.body.access_token).delete('/token')
      expect([status, body]).toEqual([200, { status: 'OK' }])
      const events = await endedOf(sessionOf(signedIn))
      expect(events).toEqual([{ sessionId: sessionOf(signedIn), change: { $case: 'ended', value: { endsAt: expect.any(Date) } } }])
      const endsAt = Number(events[0]?.change?.value.endsAt)
      expect(endsAt).toBeGreaterThanOrEqual(before + 900_000)
      expect(endsAt).toBeLessThanOrEqual(Date.now() + 900_000)
      expect(await canGoOn(refreshed.body, address)).toBe(false)
      expect(await canGoOn(other, address)).toBe(true)
    },
  )

  it('is idempotent, and published once', async () => {
    const signedIn = await auth.signIn((await auth.office()).expert)
    const http = (await auth.asExpert((await auth.office()).expert)).as(signedIn.access_token)
    expect((await http.delete('/token')).status).toBe(200)
    expect((await http.delete('/token')).status).toBe(200)
    expect(await endedOf(sessionOf(signedIn))).toHaveLength(1)
  })

  it('works for a technical application too, and requires a token', async () => {
    const { secret } = await auth.service.administration.createApplication('platform', 'technical', 'Platform')
    const { body } = await auth.token({ grant_type: 'client_credentials', client_id: 'platform', client_secret: secret })
    const http = (await auth.asExpert((await auth.office()).expert)).as(body.access_token)
    expect((await http.delete('/token')).status).toBe(200)
    expect(await endedOf(sessionOf(body))).toHaveLength(1)
    expect((await http.as(undefined).delete('/token')).status).toBe(401)
  })
})

describe('sessions of an employee end', () => {
  type Ends = [what: string, change: (office: Office) => Promise<unknown>]
  const byAdministrator = async ({ administrator, trainee }: Office, change: object) =>
    (await auth.asExpert(administrator)).put(`/user/${trainee.id}`, { User: change })
  const roleOf = async ({ administrator, trainee }: Office): Promise<{ id: string; http: Awaited<ReturnType<Auth['asExpert']>> }> => {
    const http = await auth.asExpert(administrator)
    const { body } = await http.get<{ User: { user_role_id: string } }>(`/user/${trainee.id}`)
    return { id: body.User.user_role_id, http }
  }
  const specialists = async (office: Office) => roleOf({ ...office, trainee: office.specialist })

  const ends: Ends[] = [
    ['deactivated', (office) => byAdministrator(office, { active: 0 })],
    ['deleted', async ({ administrator, trainee }) => (await auth.asExpert(administrator)).delete(`/user/${trainee.id}`)],
    ['given another role', async (office) => byAdministrator(office, { user_role_id: (await specialists(office)).id })],
    ['given another password', (office) => byAdministrator(office, { password: 'another password' })],
    ['given another address', (office) => byAdministrator(office, { email: `other-${office.trainee.username}` })],
    [
      'of a role that gets another base role',
      async (office) => {
        const { http } = await roleOf(office)
        const { body } = await http.post<{ id: number }>('/user_role', { UserRole: { name: 'Own' } })
        const id = body.id
        await auth.database.rows('UPDATE users SET user_role_id = $1 WHERE id = $2', [id, String(office.trainee.id)])
        return http.put(`/user_role/${id}`, { UserRole: { base_role: 3 } })
      },
    ],
    [
      'given another password by the installation',
      async ({ trainee }) => {
        await auth.service.administration.setPassword({ kind: 'employee', id: trainee.id }, 'another password')
      },
    ],
  ]
  it.each(ends)('when they are %s', async (_, change) => {
    const office = await auth.office()
    const [one, two, stranger] = [await auth.signIn(office.trainee), await auth.signIn(office.trainee), await auth.signIn(office.expert)]
    const answer = await change(office)
    if (answer) expect(answer).toMatchObject({ status: 200 })
    expect(await whichEnded(one, two, stranger)).toEqual([true, true, false])
  })

  const keeps: Ends[] = [
    ['another name', (office) => byAdministrator(office, { firstname: 'Eva', phone: '+48 1' })],
    ['what they have already', async (office) => byAdministrator(office, { email: office.trainee.username, active: 1 })],
    ['the same role', async (office) => byAdministrator(office, { user_role_id: (await roleOf(office)).id })],
    [
      'another name of their role',
      async (office) => {
        const { http, id } = await roleOf(office)
        return http.put(`/user_role/${id}`, { UserRole: { name: 'Junior', base_role: 4 } })
      },
    ],
  ]
  it.each(keeps)('not when they are given %s', async (_, change) => {
    const office = await auth.office()
    const signedIn = await auth.signIn(office.trainee)
    expect(await change(office)).toMatchObject({ status: 200 })
    expect(await whichEnded(signedIn)).toEqual([false])
  })

  it('except for the one that sets their own password', async () => {
    const { trainee } = await auth.office()
    const [own, other] = [await auth.signIn(trainee), await auth.signIn(trainee)]
    const http = (await auth.asExpert(trainee)).as(own.access_token)
    const changed = await http.put('/user/me', { User: { password: 'another password', current_password: trainee.password } })
    expect(changed.status).toBe(200)
    expect(await whichEnded(own, other)).toEqual([false, true])
  })

  it('not when the change is refused', async () => {
    const { administrator } = await auth.office()
    const signedIn = await auth.signIn(administrator)
    const http = (await auth.asExpert(administrator)).as(signedIn.access_token)
    expect((await http.delete(`/user/${administrator.id}`)).status).toBe(409)
    expect(await whichEnded(signedIn)).toEqual([false])
  })

  /** An external platform whose application has the id of the employee. */
  const sameId = async (id: bigint) => {
    const clientId = randomUUID()
    const { secret } = await auth.service.administration.createApplication(clientId, 'technical', 'A platform')
    await auth.database.rows('UPDATE applications SET id = $1 WHERE client_id = $2', [id, clientId])
    const { body } = await auth.token({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })
    expect(body.user_id).toBe(String(id))
    return body
  }

  it('not for an application with the same id', async () => {
    const { trainee } = await auth.office()
    const [application, own] = [await sameId(trainee.id), await auth.signIn(trainee)]
    await auth.service.administration.setPassword({ kind: 'employee', id: trainee.id }, 'another password')
    expect(await endedOf(sessionOf(application))).toEqual([])
    expect(await endedOf(sessionOf(own))).toHaveLength(1)
  })

  it('not for an application with the same id whose session the previous build wrote', async () => {
    const { trainee } = await auth.office()
    const [application, own] = [await sameId(trainee.id), await auth.signIn(trainee)]
    const [copied, copiedOwn] = [randomUUID(), randomUUID()]
    const copy = `INSERT INTO sessions (id, audience, user_id, application_id, expires)
      SELECT $1, audience, user_id, application_id, expires FROM sessions WHERE id = $2`
    await auth.database.rows(copy, [copied, sessionOf(application)])
    await auth.database.rows(copy, [copiedOwn, sessionOf(own)])
    await auth.service.administration.setPassword({ kind: 'employee', id: trainee.id }, 'another password')
    expect(await endedOf(copied)).toEqual([])
    expect(await endedOf(copiedOwn)).toHaveLength(1)
  })

  it('in the transaction of the new password', async () => {
    const { trainee } = await auth.office()
    const signedIn = await auth.signIn(trainee)
    await auth.database.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`)
    await auth.database.rows('CREATE TRIGGER refuse BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION refuse()')
    const setting = auth.service.administration.setPassword({ kind: 'employee', id: trainee.id }, 'another password')
    await expect(setting).rejects.toThrow()
    await auth.database.rows('DROP TRIGGER refuse ON sessions')
    await auth.database.rows('DROP FUNCTION refuse')
    expect(await whichEnded(signedIn)).toEqual([false])
    await auth.signIn(trainee)
  })

  it('not for a client with the same id', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    await auth.database.rows('UPDATE clients SET id = $1 WHERE id = $2', [office.trainee.id, client.id])
    const signedIn = await auth.signIn(client, 'client')
    expect(signedIn.user_id).toBe(String(office.trainee.id))
    expect((await (await auth.asExpert(office.administrator)).delete(`/user/${office.trainee.id}`)).status).toBe(200)
    expect(await canGoOn(signedIn, 'client')).toBe(true)
  })
})

it('a client whose password the operator sets has to sign in again with it', async () => {
  const client = await auth.client(await auth.office())
  const signedIn = await auth.signIn(client, 'client')
  const { administration } = auth.service
  const { userId } = (await administration.accountOf('client', client.username)) as { userId: bigint }
  await administration.setPassword({ kind: 'client', id: userId }, 'another password')
  expect(await canGoOn(signedIn, 'client')).toBe(false)
  await expect(auth.signIn(client, 'client')).rejects.toThrow('invalid_grant')
  const again: Login = { username: client.username, password: 'another password' }
  expect(await auth.signIn(again, 'client')).toMatchObject({ user_id: String(client.id) })
})
