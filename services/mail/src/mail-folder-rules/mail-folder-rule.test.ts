import { expect, it } from '@jest/globals'
import { conditionOperators, matches } from './mail-folder-rule.js'

const message = { from: { address: 'Anna@shop.example', name: '' }, to: [], cc: [], subject: '', get: () => [] }

it.each(conditionOperators)('a rule with a blank value matches nothing: %s', (operator) => {
  const conditions = [{ field: 'subject', operator, value: ' ' } as const]
  expect(matches({ conditions }, message)).toBe(false)
})

it('comparison ignores letter case and surrounding spaces', () => {
  const conditions = [{ field: 'from', operator: 'starts_with', value: ' anna@SHOP ' } as const]
  expect(matches({ conditions }, message)).toBe(true)
})

it.each([
  ['@bücher.example', true],
  ['a@xn--bcher-kva.example', true],
  ['Ann <a@Bücher.example>', true],
  ['@bucher.example', false],
])('matches the domain of an address in either of its forms (%s)', (value, is) => {
  const from = { address: 'a@xn--bcher-kva.example', name: 'Ann' }
  const message = { from, to: [], cc: [], subject: '', get: () => [] }
  expect(matches({ conditions: [{ field: 'from', operator: 'contains', value }] }, message)).toBe(is)
})
