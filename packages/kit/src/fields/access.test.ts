import { describe, expect, it } from '@jest/globals'
import { defineResource } from '../resource/index.js'
import { once, required, updatable, writable, writeOnly } from './access.js'
import { idText } from './ids.js'
import { nullable } from './kind.js'
import { line } from './texts.js'

const name = line({ max: 5 })

describe('the access to a field', () => {
  const [create, update, shown] = [true, true, true]
  it.each([
    ['is read only by default', name, { create: false, update: false, required: false, shown }],
    ['is both ways where it is writable', writable(name), { create, update, required: false, shown }],
    ['is by a create where it is once', once(name), { create, update: false, required: false, shown }],
    ['is by an update where it is updatable', updatable(name), { create: false, update, required: false, shown }],
    ['that is required is to write', required(name), { create, update, required: true, shown }],
    ['that is required once is no more than that', required(once(name)), { create, update: false, required: true, shown }],
    ['that is written alone is never shown', writeOnly(name), { create, update, required: false, shown: false }],
    ['that is written once is never shown', writeOnly(once(name)), { create, update: false, required: false, shown: false }],
    ['is the same where null is a value', nullable(once(name)), { create, update: false, required: false, shown }],
  ])('%s', (_, { access }, expected) => expect(access).toEqual(expected))

  it('decides what a create and an update of its resource may contain', () => {
    const fields = { id: idText, a: name, b: writable(name), c: once(name), d: updatable(name), e: writeOnly(name) }
    const thing = defineResource({ name: 'Thing', path: 'thing', table: 'things', fields })
    expect(Object.keys(thing.create)).toEqual(['b', 'c', 'e'])
    expect(Object.keys(thing.update)).toEqual(['b', 'd', 'e'])
    expect(thing.columns.map(({ wire }) => wire)).toEqual(['id', 'a', 'b', 'c', 'd'])
  })
})

it('fields that the service sets itself cannot be declared as input', () => {
  const declared = { name: 'Thing', path: 'thing', table: 'things' }
  // @ts-expect-error an id is given by the database
  defineResource({ ...declared, fields: { id: writable(idText) } })
  // @ts-expect-error an employee writes in their own office
  defineResource({ ...declared, fields: { id: idText, customer_id: once(idText) } })
  // A client may be linked with several offices, and names one.
  defineResource({ ...declared, audience: 'client', ownedBy: 'id', fields: { id: idText, customer_id: once(idText) } })
})
