import { expect, it } from '@jest/globals'
import { repeatable, translate } from './errors.js'

const refused = (code: string) => Object.assign(new Error('refused'), { code })

it.each([
  ['refuses the role', '28000'],
  ['refuses the password', '28P01'],
  ['does not exist', '3D000'],
  ['accepts no connections', '55000'],
  ['has no space on its disk', '53100'],
  ['has no memory', '53200'],
])('a database that %s is unavailable, and the statement is not repeated', (_, code) => {
  expect([translate(refused(code)), repeatable(refused(code))]).toEqual([expect.objectContaining({ kind: 'unavailable' }), false])
})

it.each([
  ['cannot be reached', 'EHOSTUNREACH'],
  ['is in a network that cannot be reached', 'ENETUNREACH'],
  ['has a name that cannot be resolved at present', 'EAI_AGAIN'],
])('a database that %s is unavailable, and the statement is repeated', (_, code) => {
  expect([translate(refused(code)), repeatable(refused(code))]).toEqual([expect.objectContaining({ kind: 'unavailable' }), true])
})

it('a faulty statement keeps its own error, and is not repeated', () => {
  const error = refused('42703')
  expect([translate(error), repeatable(error)]).toEqual([error, false])
})
