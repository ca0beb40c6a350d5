import { describe, expect, it } from '@jest/globals'
import { changed, chooses, chosenFact, clientOf } from './payment-offer.js'
import type { PaymentOffer } from './payment-offer.resource.js'

const issue = { id: 7n, customerId: 1n, userClientId: 5n, userId: 3n, delegatedUserId: 4n }
const invalid = (fields: object) => expect.objectContaining({ kind: 'invalid', fields })

describe('an offer is made to', () => {
  it.each([
    ['the client of the case', issue, undefined, 5n],
    ['the client of the case, if named as well', issue, 5n, 5n],
    ['the named client, if the case has none', { ...issue, userClientId: null }, 6n, 6n],
  ] as const)('%s', (_, of, named, client) => {
    expect(clientOf(of, named)).toBe(client)
  })

  it('nobody else', () => {
    expect(() => clientOf(issue, 6n)).toThrow(invalid({ user_client_id: 'is not the client of the case' }))
    expect(() => clientOf({ ...issue, userClientId: null }, undefined)).toThrow(invalid({ user_client_id: 'is required' }))
  })
})

describe('a chosen offer', () => {
  const offer = { amount: '100.00', name: 'A', workTime: 1, manHours: 1, hourlyRate: 100, description: '', isChosen: true } as PaymentOffer

  it.each([{}, { isRecommended: true }, { amount: '100.00', name: 'A' }])('stays chosen with %j', (changes) => {
    expect(changed(offer, changes)).toEqual({ ...changes, isChosen: true })
  })

  it.each([{ amount: '100.01' }, { name: 'B' }, { workTime: 2 }, { manHours: 2 }, { hourlyRate: 99 }, { description: 'More' }])(
    'is no longer chosen with %j',
    (changes) => {
      expect(changed(offer, changes)).toEqual({ ...changes, isChosen: false })
    },
  )

  it('cannot be chosen by a change of an employee', () => {
    expect(changed({ ...offer, isChosen: false }, { amount: '1.00' })).toMatchObject({ isChosen: false })
  })
})

it('a choice cannot be undone', () => {
  expect([chooses({ isChosen: true }), chooses({})]).toEqual([true, false])
  expect(() => chooses({ isChosen: false })).toThrow(invalid({ is_chosen: 'must be 1' }))
})

describe('owner and delegate are notified of a choice', () => {
  const peopleOf = (of: Parameters<typeof chosenFact>[0]) => chosenFact(of, { id: 9n, version: 2 }).notices.map(({ userId }) => userId)

  it('once each', () => {
    expect(peopleOf(issue)).toEqual([3n, 4n])
    expect(peopleOf({ ...issue, delegatedUserId: 3n })).toEqual([3n])
    expect(peopleOf({ ...issue, userId: null, delegatedUserId: null })).toEqual([])
    expect(chosenFact(issue, { id: 9n, version: 2 })).toMatchObject({ issueId: 7n, objectId: 9n, version: 2, fromUserId: null })
  })
})
