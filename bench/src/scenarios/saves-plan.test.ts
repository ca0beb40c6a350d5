import { expect, it } from '@jest/globals'
import { answersThatMayBeStored, destinationOf, savesAMinute } from './saves-plan.js'

const counted = <T>(values: readonly T[]) => [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const)

it('the plan of a minute exceeds the limits of twenty addresses and of one widget, and no others', () => {
  const sent = Array.from({ length: savesAMinute }, (_, number) => destinationOf(number))
  const addresses = counted(sent.map(({ address }) => address)).filter(([, count]) => count > 30)
  expect(addresses.map(([, count]) => count)).toEqual(Array(20).fill(60))
  const widgets = counted(sent.map(({ widget }) => widget)).filter(([, count]) => count > 300)
  expect(widgets).toEqual([[0, 600]])
  expect(answersThatMayBeStored).toBe(10_000 - 20 * 30 - 300)
  const busy = new Set(addresses.map(([address]) => address))
  expect(sent.filter(({ address, widget }) => busy.has(address) && widget === 0)).toEqual([])
})
