import { expect, it } from '@jest/globals'
import { byteBudget } from './byte-budget.js'

async function* paged(...pages: number[][]) {
  for (const page of pages) yield page.map((size) => ({ size }))
}

/** The pieces that the budget yields. The size of each message, or `spent` of it, is spent before the next piece is requested. */
async function pieces(bytes: number, pages: number[][], spent = (size: number) => size) {
  const budget = byteBudget(bytes)
  const found: number[][] = []
  for await (const piece of budget.within(paged(...pages))) {
    found.push(piece.map(({ size }) => size))
    for (const { size } of piece) budget.spend(spent(size))
  }
  return { found, isUsedUp: budget.isUsedUp() }
}

it.each([
  ['enough for everything', 100, [[10, 20], [30]], [[10, 20], [30]], false],
  ['used up by the last message', 60, [[10, 20], [30]], [[10, 20], [30]], false],
  ['used up in a page', 30, [[10, 20, 30]], [[10, 20]], true],
  ['exceeded by one message', 35, [[10, 20, 30, 40]], [[10, 20], [30]], true],
  ['less than one message', 1, [[50, 50]], [[50]], true],
  ['used up from the start', 0, [[10]], [], true],
  ['used up, with nothing left to fetch', 0, [[]], [], false],
])('a budget that is %s', async (_, bytes, pages, found, isUsedUp) => {
  expect(await pieces(bytes, pages)).toEqual({ found, isUsedUp })
})

it('messages that are not fetched cost nothing', async () => {
  const every = await pieces(25, [[10, 20, 30, 40]], () => 0)
  expect(every).toEqual({ found: [[10], [20], [30], [40]], isUsedUp: false })
})
