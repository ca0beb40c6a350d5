import { describe, expect, it } from '@jest/globals'
import { ahead } from './ahead.js'

const seen: string[] = []
async function* numbers(upTo: number, fail = false) {
  try {
    for (let number = 1; number <= upTo; number++) {
      seen.push(`begin ${number}`)
      yield number
    }
    if (fail) throw new Error('The source has failed.')
  } finally {
    seen.push('end')
  }
}
/** Resolves after everything that is ready has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

async function worked(source: AsyncIterable<number>, upTo = Number.POSITIVE_INFINITY) {
  seen.length = 0
  for await (const number of ahead(source)) {
    await settled()
    seen.push(`work ${number}`)
    if (number === upTo) break
  }
  await settled()
  return seen
}

describe('reading ahead', () => {
  it('begins the next value while the present one is worked on', async () => {
    expect(await worked(numbers(3))).toEqual(['begin 1', 'begin 2', 'work 1', 'begin 3', 'work 2', 'end', 'work 3'])
  })

  it('throws an error after every value before it', async () => {
    await expect(worked(numbers(2, true))).rejects.toThrow('The source has failed.')
    expect(seen).toEqual(['begin 1', 'begin 2', 'work 1', 'end', 'work 2'])
  })

  it('ends with the work', async () => {
    expect(await worked(numbers(9), 1)).toEqual(['begin 1', 'begin 2', 'work 1', 'end'])
  })
})
