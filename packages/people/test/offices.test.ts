import { customerTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { customer } from '@caseway/testing/fake-auth'
import { handleTogether } from '@caseway/testing/publish'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Started, startPeople } from './support/people.js'

let people: Started
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())

const erasures = (id: bigint) =>
  people.database.rows("SELECT FROM kit.job WHERE name = 'office-erasure' AND payload->>'customerId' = $1", [String(id)])

it('the rows of a deleted office are deleted, now and once more later, and it is not copied again', async () => {
  const known = customer({ id: randomId() })
  await people.publish(customerTopic, known, { ...known, timeZone: '', deleted: true, revision: 2n })
  expect(await erasures(known.id)).toHaveLength(2)
})

it('an office that is created and deleted in one batch is deleted, and the others of the batch are kept', async () => {
  const [brief, other] = [customer({ id: randomId() }), customer({ id: randomId() })]
  await handleTogether(people.offices.copy.consumer, customerTopic, [brief, { ...brief, timeZone: '', deleted: true, revision: 2n }, other])
  expect([await people.offices.timeZoneOf(brief.id), await erasures(brief.id)]).toEqual([brief.timeZone, [{}, {}]])
  expect([await people.offices.exists(other.id), await erasures(other.id)]).toEqual([true, []])
})

it('an office whose deletion was missed is deleted by the snapshot, unless it was never known', async () => {
  const [known, erased] = [customer({ id: randomId() }), customer({ id: randomId(), deleted: true })]
  await people.publish(customerTopic, known)
  await people.offices.copy.forget()
  await people.offices.copy.store([{ ...known, deleted: true, revision: 2n }, erased])
  expect(await erasures(known.id)).toHaveLength(2)
  expect(await erasures(erased.id)).toEqual([])
  expect(await people.offices.exists(erased.id)).toBe(false)
})

it('an office exists, and has its own time zone, after its event; until then it has the default', async () => {
  const id = randomId()
  expect([await people.offices.exists(id), await people.offices.timeZoneOf(id)]).toEqual([false, 'Europe/Warsaw'])
  await people.publish(customerTopic, customer({ id, timeZone: 'Asia/Tokyo' }))
  expect([await people.offices.exists(id), await people.offices.timeZoneOf(id)]).toEqual([true, 'Asia/Tokyo'])
  await people.publish(customerTopic, customer({ id, timeZone: 'Europe/Rome', revision: 2n }))
  expect(await people.offices.timeZoneOf(id)).toBe('Europe/Rome')
})
