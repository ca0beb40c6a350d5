import { groupTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { group } from '@caseway/testing/fake-auth'
import { untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Started, startPeople } from './support/people.js'

let people: Started
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())

const office = { customerId: randomId() }
const ofOffice = (fields: Partial<Parameters<typeof group>[0]> = {}) => group({ id: randomId(), ...office, ...fields })
const some = async (...ids: bigint[]) => (await people.groups.some(office, ids)).map(({ id }) => id)
const write = <T>(work: (tx: object) => Promise<T>) => people.db.write(office, work)
const kept = async (id: bigint) => (await write((tx) => people.groups.keep(tx, office, [id]))).map(({ id }) => id)

describe('a group of an office', () => {
  it('is found in the copy, without a call', async () => {
    const known = ofOffice()
    await people.publish(groupTopic, known)
    const before = people.auth.questions
    expect([await some(known.id), await kept(known.id)]).toEqual([[known.id], [known.id]])
    expect(people.auth.questions).toBe(before)
  })

  it('is looked up once at auth, if the copy does not have it', async () => {
    const created = ofOffice()
    people.auth.groups.push(created)
    const before = people.auth.questions
    const { id } = created
    expect([await some(id), await some(id), await kept(id)]).toEqual([[id], [id], [id]])
    expect(people.auth.questions).toBe(before + 1)
  })

  it('is not found if it is deleted, of another office, or unknown', async () => {
    const deleted = ofOffice()
    const foreign = group({ id: randomId(), customerId: randomId() })
    people.auth.groups.push(foreign)
    await people.publish(groupTopic, deleted, { ...deleted, deleted: true, revision: 2n }, foreign)
    const ids = [deleted.id, foreign.id, randomId()]
    expect(await some(...ids)).toEqual([])
    expect(await Promise.all(ids.map(kept))).toEqual([[], [], []])
  })
})

describe('the deletion of a group', () => {
  it('is reported once, whatever the order and number of its events', async () => {
    const created = ofOffice()
    const deleted = { ...created, name: '', deleted: true, revision: 3n }
    await people.publish(groupTopic, created, deleted, { ...created, revision: 2n }, deleted)
    expect(people.deletedGroups.filter((id) => id === created.id)).toHaveLength(1)
    expect(await some(created.id)).toEqual([])
  })

  it('is reported for an unknown group', async () => {
    const deleted = ofOffice({ deleted: true, revision: 2n })
    await people.publish(groupTopic, deleted)
    expect(people.deletedGroups).toContain(deleted.id)
    expect(await some(deleted.id)).toEqual([])
  })

  it('is found in the snapshot when its event was lost', async () => {
    const [created, other] = [ofOffice(), ofOffice()]
    await people.publish(groupTopic, created, other)
    await people.groups.copy.forget()
    await people.groups.copy.store([{ ...created, deleted: true, revision: 2n }, other])
    expect(people.deletedGroups).toContain(created.id)
    expect(await some(created.id, other.id)).toEqual([other.id])
  })

  it('waits for transactions that refer to the group, and prevents later references', async () => {
    const created = ofOffice()
    await people.publish(groupTopic, created)
    const held = Promise.withResolvers<void>()
    const naming = Promise.withResolvers<void>()
    const named = write(async (tx) => {
      expect(await people.groups.keep(tx, office, [created.id])).toMatchObject([{ id: created.id }])
      naming.resolve()
      await held.promise
    })
    await naming.promise
    const deleted = people.publish(groupTopic, { ...created, deleted: true, revision: 2n })
    await untilWaiting(people.database, 1)
    expect(people.deletedGroups).not.toContain(created.id)
    held.resolve()
    await Promise.all([named, deleted])
    expect(people.deletedGroups).toContain(created.id)
    expect(await kept(created.id)).toEqual([])
  })
})
