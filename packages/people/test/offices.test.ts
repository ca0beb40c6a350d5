import { customerTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { customer } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Started, startPeople } from './support/people.js'

let people: Started
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())

it('an office exists, and has its own time zone, as soon as auth has told; until then it has the default', async () => {
  const id = randomId()
  expect([await people.offices.exists(id), await people.offices.timeZoneOf(id)]).toEqual([false, 'Europe/Warsaw'])
  await people.publish(customerTopic, customer({ id, timeZone: 'Asia/Tokyo' }))
  expect([await people.offices.exists(id), await people.offices.timeZoneOf(id)]).toEqual([true, 'Asia/Tokyo'])
  await people.publish(customerTopic, customer({ id, timeZone: 'Europe/Rome', revision: 2n }))
  expect(await people.offices.timeZoneOf(id)).toBe('Europe/Rome')
})
