import { expect, it } from '@jest/globals'
import { refreshTime } from './tokens.js'

it.each([
  [3600, 3300],
  [1500, 1200],
  [600, 480],
  [10, 8],
])('tokens that are good for %i seconds are refreshed after %i', (lifetimeSeconds, afterSeconds) => {
  expect(refreshTime(new Date(0), { lifetimeSeconds })).toEqual(new Date(afterSeconds * 1000))
})
