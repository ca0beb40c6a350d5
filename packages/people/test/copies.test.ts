import { type Copy, resyncCopy } from '@caseway/kit/events'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { groupTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { customer, group, link, user } from '@caseway/testing/fake-auth'
import { itKeepsPeople } from '@caseway/testing/people'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Started, startPeople } from './support/people.js'

const known = { customerId: randomId(), clientId: randomId(), linkId: randomId() }

let people: Started
beforeAll(async () => {
  people = await startPeople((auth) => {
    auth.customers.push(customer({ id: known.customerId, timeZone: 'Asia/Tokyo' }))
    auth.links.push(link({ id: known.linkId, customerId: known.customerId, clientId: known.clientId }))
    // More than one page of the snapshot.
    auth.users.push(...Array.from({ length: 1500 }, (_, index) => user({ id: BigInt(index + 1), customerId: known.customerId })))
  })
})
afterAll(() => people.stop())

itKeepsPeople(['customers', 'users', 'client_links', 'groups'], () => people)

it('all pages of the snapshot are copied', async () => {
  const { rows } = people.database
  expect(await rows('SELECT FROM users WHERE customer_id = $1', [known.customerId])).toHaveLength(1500)
  expect(await rows('SELECT time_zone FROM customers WHERE id = $1', [known.customerId])).toEqual([{ time_zone: 'Asia/Tokyo' }])
  const [copied] = await rows('SELECT client_id, linked, state FROM client_links WHERE id = $1', [known.linkId])
  expect(copied).toEqual({ client_id: String(known.clientId), linked: true, state: 'active' })
})

it('a link whose revision is forgotten still gives access, and accepts any state from its owner', async () => {
  const ended = link({ customerId: randomId(), clientId: randomId(), state: LinkState.ENDED, revision: 7n })
  await people.publish(linkTopic, ended)
  await people.links.copy.forget()
  const open = () => people.database.rows('SELECT is_open(link) AS open, state FROM client_links AS link WHERE id = $1', [ended.id])
  expect(await open()).toEqual([{ open: true, state: 'ended' }])
  await people.links.copy.store([{ ...ended, banned: true, revision: 1n }])
  expect(await open()).toEqual([{ open: false, state: 'banned' }])
})

it('a person whom the owner has lost is unknown after a resync, and has no access', async () => {
  const { customerId } = known
  const [lostLink, lostUser, lostGroup] = [
    link({ customerId, clientId: randomId() }),
    user({ id: randomId(), customerId }),
    group({ id: randomId(), customerId }),
  ]
  await people.publish(linkTopic, lostLink)
  await people.publish(userTopic, lostUser)
  await people.publish(groupTopic, lostGroup)
  for (const { copy } of [people.links, people.users, people.groups]) await resyncCopy(people.db, copy as Copy)
  const { rows } = people.database
  expect(await rows('SELECT is_open(link) AS open FROM client_links AS link WHERE id = $1', [lostLink.id])).toEqual([{ open: false }])
  expect(await rows('SELECT active FROM users WHERE id = $1', [lostUser.id])).toEqual([{ active: false }])
  expect(await rows('SELECT deleted FROM groups WHERE id = $1', [lostGroup.id])).toEqual([{ deleted: true }])
  // People whom other tests published are lost with them.
  expect(people.accessChanges).toContain(lostLink.clientId)
  expect(people.inactiveUsers).toContain(lostUser.id)
  expect(people.deletedGroups).toContain(lostGroup.id)
  expect(await rows('SELECT linked FROM client_links WHERE id = $1', [known.linkId])).toEqual([{ linked: true }])
  expect(await rows('SELECT FROM users WHERE customer_id = $1 AND active', [customerId])).toHaveLength(1500)
})
