import { expect, it } from '@jest/globals'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { csvWriter } from './csv-lines.js'

const peculiar = fc.constantFrom(...'=+-@\t\r\n",\' \uFEFF＝＋－＠'.split(''), '\r\n', '""')
const text = fc.oneof(
  fc.string({ unit: fc.oneof(peculiar, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) }),
  fc.tuple(peculiar, fc.string()).map((parts) => parts.join('')),
)

const write = csvWriter()
const options = { escape_formulas: true, record_delimiter: 'windows', quote_record_delimiter: true } as const

it('lines of CSV are what csv-stringify writes, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.option(text), { minLength: 1 })), (lines) => {
      expect(write(lines).toString()).toBe(stringify(lines, options).toWellFormed())
    }),
    { numRuns: 5_000, examples: [[[['=1+1', null, '', 'a "b"', 'a,b', "'=1"]]]] },
  )
})

it('no line begins within a text, where a formula would hide', () => {
  expect(write([['a\n=1+1', 'b\r=1+1']]).toString()).toBe('"a\n=1+1","b\r=1+1"\r\n')
})
