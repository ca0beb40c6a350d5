import { expect, it } from '@jest/globals'
import { conditionOperators, matches } from './mail-folder-rule.js'

const message = { from: { address: 'Anna@shop.example', name: '' }, to: [], cc: [], subject: '', get: () => [] }

it.each(conditionOperators)('a rule of which a value is blank matches nothing: %s', (operator) => {
  const conditions = [{ field: 'subject', operator, value: ' ' } as const]
  expect(matches({ conditions }, message)).toBe(false)
})

it('letters are compared whatever their case, without the spaces around them', () => {
  const conditions = [{ field: 'from', operator: 'starts_with', value: ' anna@SHOP ' } as const]
  expect(matches({ conditions }, message)).toBe(true)
})
