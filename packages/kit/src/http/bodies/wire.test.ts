import { describe, expect, it } from '@jest/globals'
import { idText, line, nullable } from '../../fields/index.js'
import { defineResource, many, one, type RecordOf } from '../../resource/index.js'
import { officeOf, recordEncoder } from './wire.js'

const cards = { name: 'Card', path: 'card', table: 'cards', fields: { id: idText, title: nullable(line({ max: 9 })) } } as const
const cardResource = defineResource({
  ...cards,
  embedded: { Owner: one('id', { name: line({ max: 9 }) }), Stamp: many('card_id', { name: line({ max: 9 }) }) },
})
const encode = recordEncoder(cardResource)
const card = { id: 1n, title: null, version: 1, owner: { name: 'b' }, stamp: [{ name: 'c' }, { name: 'd' }] }
const encoded = (record: object) => encode(record as RecordOf<typeof cardResource>, 'UTC')

describe('a record on the wire', () => {
  it('has its declared fields and those of embedded objects, and no others', () => {
    const wire = { Card: { id: '1', title: null }, Owner: { name: 'b' }, Stamp: [{ name: 'c' }, { name: 'd' }] }
    expect(encoded({ ...card, secret: 'x', stamp: card.stamp.map((stamp) => ({ ...stamp, cardId: 1n })) })).toEqual(wire)
    expect(encoded({ ...card, stamp: [] })).toMatchObject({ Stamp: [] })
  })

  it('has the objects nested in embedded ones', () => {
    const stamps = many('card_id', { name: line({ max: 9 }) }, { Office: { name: line({ max: 9 }) } })
    const encodeWith = recordEncoder(defineResource({ ...cards, embedded: { Stamp: stamps } }))
    const stamp = [{ name: 'c', office: { name: 'e', secret: 'x' } }]
    expect(encodeWith({ ...card, stamp }, 'UTC')).toEqual({ Card: { id: '1', title: null }, Stamp: [{ name: 'c', Office: { name: 'e' } }] })
    expect(() => encodeWith({ ...card, stamp: [{ name: 'c' }] } as never, 'UTC')).toThrow('Office.name is missing')
  })

  it.each([
    ['a field', { ...card, title: undefined }, 'Card.title is missing'],
    ['a field of an object beside it', { ...card, owner: {} }, 'Owner.name is missing'],
    ['an object beside it', { ...card, owner: undefined }, 'Owner.name is missing'],
    ['objects beside it', { ...card, stamp: undefined }, 'Stamp is missing'],
    ['a field of one of them', { ...card, stamp: [{}] }, 'Stamp.name is missing'],
  ])('is an error without %s', (_, record, message) => expect(() => encoded(record)).toThrow(message))

  it('is in the time zone of its own office, or of the caller’s where it has none', () => {
    expect(officeOf({ customerId: 2n }, { customerId: null })).toBe(2n)
    expect(officeOf({ name: 'a' }, { customerId: 1n })).toBe(1n)
  })
})
