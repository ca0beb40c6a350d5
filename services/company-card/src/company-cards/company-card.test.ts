import { expect, it } from '@jest/globals'
import { newHash, slugOf } from './company-card.js'

it.each([
  ['Łódź', 'lodz'],
  ['ąćęłńóśźż', 'acelnoszz'],
  ['ĄĆĘŁŃÓŚŹŻ', 'acelnoszz'],
  ['Bielsko-Biała', 'bielsko-biala'],
  ['McAllen', 'mcallen'],
  ['Gorzów  Wielkopolski', 'gorzow-wielkopolski'],
  ['', ''],
])('the slug of %j is %j', (city, slug) => {
  expect(slugOf(city)).toBe(slug)
})

it('a hash has 128 bits, and is another one each time', () => {
  const hashes = new Set(Array.from({ length: 1000 }, newHash))
  expect(hashes.size).toBe(1000)
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/)
})
