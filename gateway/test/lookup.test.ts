import type { LookupOptions } from 'node:dns'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { rotatingLookup } from '../src/forwarding/lookup.js'

const [one, two, three] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => ({ address, family: 4 }))

/** A resolver with one order for all times. */
const lookupIn = (...addresses: object[]) => {
  const lookup = rotatingLookup((_, __, callback) => callback(null, addresses as never))
  return promisify((options: LookupOptions, done: (...answer: never[]) => void) => lookup('copies', options, done as never))
}

it('begins with each address in its turn', async () => {
  const lookup = lookupIn(one as object, two as object, three as object)
  const orders = [await lookup({ all: true }), await lookup({ all: true }), await lookup({ all: true }), await lookup({ all: true })]
  expect(orders).toEqual([
    [one, two, three],
    [two, three, one],
    [three, one, two],
    [one, two, three],
  ])
})

it('gives one address to whoever asks for one', async () => {
  const lookup = lookupIn(one as object, two as object)
  expect([await lookup({}), await lookup({})]).toEqual(['10.0.0.1', '10.0.0.2'])
})

it('passes on that there is none', async () => {
  const unknown = rotatingLookup((_, __, callback) => callback(new Error('ENOTFOUND'), []))
  await expect(promisify(unknown)('copies', {})).rejects.toThrow('ENOTFOUND')
})
