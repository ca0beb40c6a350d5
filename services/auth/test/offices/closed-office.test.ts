import { customerTopic, sessionTopic } from '@caseway/protos/topics'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { type Auth, type Login, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const close = (customerId: bigint) => auth.service.administration.closeOffice(customerId, inDays(30))
const refreshes = (refresh_token: string, address: 'expert' | 'client' = 'expert') =>
  auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token }, address)
const sessionsOf = ({ id }: Login & { id: bigint }, kind = 'employee') =>
  auth.database.rows('SELECT FROM sessions WHERE kind = $2 AND user_id = $1 AND ended IS NULL', [id, kind])

describe('a closed office', () => {
  it('refuses its employees with the answer to a wrong password, and ends their sessions', async () => {
    const { expert, customerId } = await auth.office()
    const signedIn = await auth.signIn(expert)
    await close(customerId)
    expect(await sessionsOf(expert)).toEqual([])
    const wrong = await auth.signsIn({ ...expert, password: 'not the password' })
    const refused = await auth.signsIn(expert)
    expect([refused.status, refused.body]).toEqual([wrong.status, wrong.body])
    expect((await refreshes(signedIn.refresh_token)).status).toBe(400)
  })

  it('refuses its clients as well, and ends their sessions', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    const signedIn = await auth.signIn(client, 'client')
    const session = jwt.decode(signedIn.access_token, { json: true })?.sid
    await close(office.customerId)
    expect(await sessionsOf(client, 'client')).toEqual([])
    expect((await auth.published(sessionTopic)).map(({ event }) => event.sessionId)).toContain(session)
    const wrong = await auth.signsIn({ ...client, password: 'not the password' }, 'client')
    const refused = await auth.signsIn(client, 'client')
    expect([refused.status, refused.body]).toEqual([wrong.status, wrong.body])
    expect((await refreshes(signedIn.refresh_token, 'client')).status).toBe(400)
  })

  it('does not affect other offices, nor clients of another one until that is closed too', async () => {
    const [office, another] = [await auth.office(), await auth.office()]
    const client = await auth.client(office, another)
    const signedIn = await auth.signIn(client, 'client')
    await close(office.customerId)
    expect((await auth.signsIn(another.expert)).status).toBe(200)
    expect((await refreshes(signedIn.refresh_token, 'client')).status).toBe(200)
    expect((await auth.signsIn(client, 'client')).status).toBe(200)
    await close(another.customerId)
    expect(await sessionsOf(client, 'client')).toEqual([])
    expect((await auth.signsIn(client, 'client')).status).toBe(400)
  })

  it('ends the sessions of a client when their two offices are closed concurrently', async () => {
    const [one, another] = [await auth.office(), await auth.office()]
    const [client, onlyOfOne] = [await auth.client(one, another), await auth.client(one)]
    for (const person of [client, onlyOfOne]) await auth.signIn(person, 'client')
    const sql = "UPDATE sessions SET ended = ended WHERE kind = 'client' AND user_id = $1"
    const held = await holdTransaction(auth.database, sql, [onlyOfOne.id])
    const first = close(one.customerId)
    await untilWaiting(auth.database, 1)
    const second = close(another.customerId)
    await Promise.race([second, untilWaiting(auth.database, 2)])
    await held.commit()
    await Promise.all([first, second])
    expect(await sessionsOf(client, 'client')).toEqual([])
  })

  it('lets its employees and clients sign in when it is reopened', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    await close(office.customerId)
    await auth.service.administration.reopenOffice(office.customerId)
    expect((await auth.signsIn(office.expert)).status).toBe(200)
    expect((await auth.signsIn(client, 'client')).status).toBe(200)
  })

  it.each(['expert', 'client'] as const)('refuses a sign-in that began before, on the address of %ss', async (address) => {
    const office = await auth.office()
    const { customerId } = office
    const person = address === 'client' ? await auth.client(office) : office.expert
    const closing = await holdTransaction(auth.database, 'UPDATE customers SET deletes_at = $2 WHERE id = $1', [customerId, inDays(30)])
    const answer = auth.signsIn(person, address)
    await untilWaiting(auth.database, 1)
    await closing.commit()
    expect((await answer).status).toBe(400)
    expect(await sessionsOf(person, address === 'client' ? 'client' : 'employee')).toEqual([])
  })

  it('is published as closed, and as open once the deletion is cancelled', async () => {
    const { customerId } = await auth.office()
    await close(customerId)
    await auth.service.administration.reopenOffice(customerId)
    const events = (await auth.published(customerTopic)).map(({ event }) => event).filter(({ id }) => id === customerId)
    expect(events.map(({ closed, revision }) => [closed, revision])).toEqual([
      [false, 1n],
      [true, 2n],
      [false, 3n],
    ])
  })

  it('is deleted when its deletion is due, and not before', async () => {
    const [waiting, due] = [await auth.office(), await auth.office()]
    await close(waiting.customerId)
    await auth.service.administration.closeOffice(due.customerId, inDays(-1))
    await auth.service.administration.removeDueOffices()
    const states = async ({ customerId }: { customerId: bigint }) => auth.service.administration.stateOfOffice(customerId)
    expect(await states(waiting)).toMatchObject({ name: 'Office', deleted: false })
    expect(await states(due)).toMatchObject({ name: '', deleted: true })
  })
})

describe('the audit trail', () => {
  it('is deleted with its office, and cannot be deleted before', async () => {
    const [open, deleted] = [await auth.office(), await auth.office()]
    for (const { expert } of [open, deleted]) await auth.signIn(expert)
    await auth.database.rows('UPDATE customers SET deleted = true WHERE id = $1', [deleted.customerId])
    const remove = ({ customerId }: { customerId: bigint }) =>
      auth.database.rows('DELETE FROM audit_events WHERE customer_id = $1', [customerId])
    await expect(remove(open)).rejects.toThrow('append only')
    await remove(deleted)
    expect(await auth.database.rows('SELECT FROM audit_events WHERE customer_id = $1', [deleted.customerId])).toEqual([])
  })
})
