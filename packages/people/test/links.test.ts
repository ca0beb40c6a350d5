import { AppError } from '@caseway/kit/errors'
import { type LinkEvent, LinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { link } from '@caseway/testing/fake-auth'
import { untilWaiting } from '@caseway/testing/held-transaction'
import { handleTogether } from '@caseway/testing/publish'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { copiedLinks } from '../src/index.js'
import { clientOf, type Started, startPeople, type Tx } from './support/people.js'

let people: Started
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())

const linkOf = (fields: Partial<LinkEvent> = {}) => link({ customerId: randomId(), clientId: randomId(), ...fields })

/** A link that auth and the copy have. */
async function known(fields: Partial<LinkEvent> = {}): Promise<LinkEvent> {
  const event = linkOf(fields)
  people.auth.links.push(event)
  await people.publish(linkTopic, event)
  return event
}

describe('the clients of an office', () => {
  it('are found in the copy, without a call', async () => {
    const { customerId, clientId } = await known()
    const before = people.auth.questions
    expect(await people.links.missing({ customerId }, { user_client_id: clientId })).toEqual([])
    expect(people.auth.questions).toBe(before)
  })

  it('are stored immediately if auth knows a link before its event arrives', async () => {
    const { customerId, clientId, id } = linkOf()
    people.auth.links.push(link({ id, customerId, clientId }))
    expect(await people.links.missing({ customerId }, { user_client_id: clientId })).toEqual([])
    expect(await people.database.rows('SELECT state FROM client_links WHERE id = $1', [id])).toEqual([{ state: 'active' }])
  })

  it.each([
    ['invited', { state: LinkState.INVITED }],
    ['no longer linked', { state: LinkState.ENDED }],
    ['banned', { banned: true }],
  ])('are not those who are %s', async (_, fields) => {
    const { customerId, clientId } = await known(fields)
    expect(await people.links.missing({ customerId }, { user_client_id: clientId })).toEqual(['user_client_id'])
  })
})

describe('the office of a request of a client', () => {
  it('is the named one, where the link with it is active', async () => {
    const { customerId, clientId } = await known()
    await known({ clientId })
    expect(await people.links.officeOf(clientOf(clientId), customerId)).toBe(customerId)
  })

  it.each([
    ['ended', { state: LinkState.ENDED }, { kind: 'forbidden', code: 'LINK_ENDED' }],
    ['banned', { banned: true }, { kind: 'invalid', fields: { customer_id: 'does not exist' } }],
    ['not accepted yet', { state: LinkState.INVITED }, { kind: 'invalid', fields: { customer_id: 'does not exist' } }],
  ])('is refused where the link with it is %s', async (_, fields, error) => {
    const { customerId, clientId } = await known(fields)
    await expect(people.links.officeOf(clientOf(clientId), customerId)).rejects.toMatchObject(error)
  })

  it('is the only one with an active link, if none is named', async () => {
    const { customerId, clientId } = await known()
    await known({ clientId, state: LinkState.ENDED })
    expect(await people.links.officeOf(clientOf(clientId), undefined)).toBe(customerId)
  })

  it('must be named by a client of several offices, or of none', async () => {
    const { clientId } = await known()
    await known({ clientId })
    for (const client of [clientOf(clientId), clientOf()]) {
      await expect(people.links.officeOf(client, undefined)).rejects.toMatchObject({ fields: { customer_id: 'is required' } })
    }
  })
})

describe('a transaction in which a client writes', () => {
  const scope = (tx: Tx) => tx.$queryRaw`SELECT current_setting('app.customer_id') AS office, current_setting('app.client_id') AS client`

  it('has the scope of the office', async () => {
    const { customerId, clientId } = await known()
    const written = await people.links.writeAs(clientOf(clientId), customerId, scope)
    expect(written).toEqual([{ office: String(customerId), client: '' }])
  })

  it.each([
    ['ended', { state: LinkState.ENDED }, { code: 'LINK_ENDED' }],
    ['invited', { state: LinkState.INVITED }, { code: 'LINK_ENDED' }],
    ['banned', { banned: true }, { code: 'NOT_FOUND' }],
    ['in a state of a later build', { state: 99 as LinkState }, { code: 'NOT_FOUND' }],
  ])('does not begin where the link is %s', async (_, fields, error) => {
    const { customerId, clientId } = await known(fields)
    await expect(people.links.writeAs(clientOf(clientId), customerId, scope)).rejects.toMatchObject(error)
  })

  it('does not begin without a link, with the error that the caller chooses', async () => {
    const refused = people.links.writeAs(clientOf(), randomId(), scope, new AppError('conflict', 'HIDDEN', 'Hidden.'))
    await expect(refused).rejects.toMatchObject({ code: 'HIDDEN' })
  })

  it('locks the link against a ban, but not that of another client', async () => {
    const active = await known()
    const other = await known({ customerId: active.customerId })
    const [writing, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const order: string[] = []
    const written = people.links.writeAs(clientOf(active.clientId), active.customerId, async () => {
      writing.resolve()
      await leave.promise
      order.push('written')
    })
    await writing.promise
    await people.publish(linkTopic, { ...other, banned: true, revision: 2n })
    const banned = people.publish(linkTopic, { ...active, banned: true, revision: 2n }).then(() => order.push('banned'))
    await untilWaiting(people.database, 1).finally(leave.resolve)
    await Promise.all([written, banned])
    expect(order).toEqual(['written', 'banned'])
    await expect(people.links.writeAs(clientOf(active.clientId), active.customerId, scope)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a change of access', () => {
  const changesOf = (clientId: bigint) => people.accessChanges.filter((id) => id === clientId).length

  it('is reported once, however often the event arrives', async () => {
    const active = await known()
    const banned = { ...active, banned: true, revision: 2n }
    await people.publish(linkTopic, banned, banned)
    expect(changesOf(active.clientId)).toBe(1)
    await people.publish(linkTopic, { ...active, revision: 3n })
    expect(changesOf(active.clientId)).toBe(2)
  })

  it('is reported once for several states in one batch, and not if access is unchanged', async () => {
    const active = await known()
    const { consumer } = people.links.copy
    await handleTogether(consumer, linkTopic, [
      { ...active, state: LinkState.ENDED, revision: 2n },
      { ...active, banned: true, revision: 3n },
    ])
    expect(changesOf(active.clientId)).toBe(1)
    await handleTogether(consumer, linkTopic, [
      { ...active, revision: 4n },
      { ...active, banned: true, revision: 5n },
    ])
    expect(changesOf(active.clientId)).toBe(1)
  })

  it('is not reported for the first event of a link, nor for its end', async () => {
    const active = await known()
    await people.publish(linkTopic, { ...active, state: LinkState.ENDED, revision: 2n })
    expect(changesOf(active.clientId)).toBe(0)
  })

  it('is reported in the transaction that stores it, which is rolled back if the report fails', async () => {
    const active = await known()
    const refused = copiedLinks(people.db, people.directory, { onAccessChange: () => Promise.reject(new Error('not now')) })
    await expect(refused.copy.store([{ ...active, banned: true, revision: 2n }])).rejects.toThrow('not now')
    const kept = await people.database.rows('SELECT state, revision FROM client_links WHERE id = $1', [active.id])
    expect(kept).toEqual([{ state: 'active', revision: '1' }])
  })
})
