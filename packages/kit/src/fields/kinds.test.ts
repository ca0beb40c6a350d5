import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { choice, flagInteger, flagText } from './choices.js'
import { type Field, FieldError } from './field.js'
import { idInteger, idText } from './ids.js'
import { jsonText, jsonValue } from './json-text.js'
import { nullable } from './kind.js'
import { email } from './mail-address.js'
import { amount, integer, integerText } from './numbers.js'
import { hexColor, line, paragraph, webAddress, webOrigin, zone } from './texts.js'
import { date, timestamp } from './times.js'

const kinds: Record<string, Field> = {
  idText,
  idInteger,
  line: line({ min: 1, max: 5 }),
  paragraph: paragraph({ max: 20 }),
  hexColor,
  email,
  webAddress,
  webOrigin,
  zone,
  choice: choice('new', '3'),
  flagText,
  flagInteger,
  integerText: integerText({ min: -1, max: 9 }),
  integer: integer({ min: -1, max: 9 }),
  amount,
  timestamp,
  date,
  jsonText: jsonText(Type.Array(Type.Unknown())),
  jsonValue: jsonValue(Type.Array(Type.Unknown(), { minItems: 1 })),
}
const names = Object.keys(kinds)

const numRuns = Number(process.env.FUZZ_RUNS ?? 500)

/** Values that are close to one of the kinds, and values that are far from all of them. */
const sent = fc.oneof(
  fc.constantFrom('\0', '\ud800', '__proto__', '', ' ', '1e3', '0x1', '-0', '٣', '9'.repeat(400), 'a\nb', '\u202e', true, null, undefined),
  fc.constantFrom('new', '3', 3, '0', 1, -1, 'Europe/Warsaw', 'ffffff', 'a@b.example', '2026-11-21', '2026-10-25 02:30:00', '2026-02-30'),
  fc.string({ unit: 'binary' }),
  fc.json().map((json) => JSON.parse(json)),
  fc.json(),
  fc.integer(),
  fc.integer({ min: 0, max: 10 ** 12 }).map((cents) => cents / 100),
  fc.double(),
  fc.maxSafeInteger().map(String),
  fc.emailAddress(),
  fc.tuple(fc.emailAddress(), fc.string({ unit: 'binary' })).map(([address, label]) => address.replace('@', `@${label}`)),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.date({ noInvalidDate: true }).map((time) => time.toISOString()),
  fc.date({ noInvalidDate: true }).map((time) => time.toISOString().slice(0, 10)),
)

describe.each(names)('a field of the kind %s', (name) => {
  const kind = kinds[name] as Field
  const output = Compile(kind.output)

  it('decodes a value that encodes to the same again, or refuses it with a text', () => {
    fc.assert(
      fc.property(sent, fc.constantFrom('Europe/Warsaw', 'UTC', 'Asia/Kathmandu'), (wire, clocks) => {
        const value = kind.decode(wire, clocks)
        if (value instanceof FieldError) return expect(value.text).toMatch(/^(must|is) /)
        const shown = kind.encode(value as NonNullable<unknown>, clocks)
        expect([...output.Errors(shown)]).toEqual([])
        expect(kind.encode(kind.decode(shown, clocks) as NonNullable<unknown>, clocks)).toEqual(shown)
      }),
      { numRuns },
    )
  })

  it('refuses values of other types', () => {
    for (const wire of [{}, [], true, '\0', Number.NaN, undefined]) expect(kind.decode(wire, 'UTC')).toBeInstanceOf(FieldError)
  })

  it('has null in its schema only where it is nullable', () => {
    expect(Compile(nullable(kind).output).Check(null)).toBe(true)
    expect(output.Check(null)).toBe(false)
  })
})

describe('a web address', () => {
  it.each(['http://a.example', 'HTTPS://a.example:8443/b?c=d#e', 'https://żółw.example/ż'])('may be %s', (wire) => {
    expect(webAddress.decode(wire, 'UTC')).toBe(wire)
  })

  const refused = [
    'a.example',
    '//a.example',
    'ftp://a.example',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    ' https://a.example',
    'https://a\u202e',
  ]
  it.each(refused)('is not %j', (wire) => {
    expect(webAddress.decode(wire, 'UTC')).toEqual(new FieldError('must be an address that begins with http:// or https://'))
  })

  it('has at most 2048 characters', () => {
    const longest = `https://a.example/${'b'.repeat(2030)}`
    expect(webAddress.decode(longest, 'UTC')).toBe(longest)
    expect(webAddress.decode(`${longest}b`, 'UTC')).toEqual(new FieldError('must be at most 2048 characters'))
  })
})

describe('the origin of web pages', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['HTTPS://Shop.Example:443/', 'https://shop.example'],
    ['http://shop.example:8080', 'http://shop.example:8080'],
    ['https://żółw.example', 'https://xn--w-uga1v8h.example'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is what browsers send as %s', (sent, origin) => expect(webOrigin.decode(sent, 'UTC')).toBe(origin))

  it('has at most 2048 characters', () => {
    expect(webOrigin.decode(`https://${'a'.repeat(2041)}`, 'UTC')).toEqual(new FieldError('must be at most 2048 characters'))
  })

  const refused = [
    'https://*',
    'https://*.a.example',
    'https://a.example;script-src',
    'https://a.example,b',
    "https://'self'",
    'https://a.example/b',
    'https://a.example?',
    'https://a.example#',
    'https://a:b@a.example',
    'ftp://a.example',
    'null',
    '*',
    'a',
  ]
  it.each([...refused, `https://a.example/${' '.repeat(2031)}`])('is not %j', (wire) => {
    expect(webOrigin.decode(wire, 'UTC')).toBeInstanceOf(FieldError)
  })
})

describe('an amount of money', () => {
  it.each([
    ['1200', '1200.00'],
    ['1200.5', '1200.50'],
    [1200.5, '1200.50'],
    [0.07, '0.07'],
    [9_999_999_999.99, '9999999999.99'],
    ['0', '0.00'],
  ])('%j is %s', (sent, value) => {
    expect(amount.decode(sent, 'UTC')).toBe(value)
  })

  it.each(['1,200.00', '1200.505', 0.1 + 0.2, -1, '-1', '', '.5', '01', '1.', 1e10, 1e-7, Number.NaN, '١'])('%j is none', (sent) => {
    expect(amount.decode(sent, 'UTC')).toBeInstanceOf(FieldError)
  })
})
