import { describe, expect, it } from '@jest/globals'
import { median, quantile } from './statistics.js'

describe('a median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
    [[10, 9], 9.5],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected))

  it('of nothing is no number', () => expect(median([])).toBeNaN())
})

describe('a quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  it.each([
    [0.99, 99],
    [0.5, 50],
    [1, 100],
    [0, 1],
  ])('of %d among 1 to 100 is %d', (share, expected) => expect(quantile(hundred, share)).toBe(expected))

  it('is infinite when the values are', () => expect(quantile([1, Infinity], 0.99)).toBe(Infinity))
})
