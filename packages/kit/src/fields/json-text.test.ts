import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import Type from 'typebox'
import type { FieldError } from './field.js'
import { jsonText, jsonValue } from './json-text.js'

const anything = jsonText(Type.Unknown())
const hours = jsonText(
  Type.Object(
    { 1: Type.Optional(Type.Union([Type.Literal(false), Type.Array(Type.Integer({ maximum: 1440 }), { maxItems: 2 })])) },
    { additionalProperties: false },
  ),
  { maxBytes: 30, refuse: (value) => (Array.isArray(value[1]) && value[1].includes(13) ? 'must not have 13' : undefined) },
)
const refusal = (decoded: unknown) => (decoded as FieldError).text
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('JSON in a string', () => {
  it('is kept as it was sent', () => {
    const sent = ' {"b": 1.0,\n"a": "\\u0142"} '
    expect(anything.decode(sent, 'UTC')).toBe(sent)
  })

  it('is whatever JSON.stringify writes, unless it is too deep', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (sent) => {
        fc.pre(!sent.includes('\\u0000') && !sent.includes('__proto__') && !sent.includes('\\ud'))
        expect(anything.decode(sent, 'UTC')).toBe(sent)
      }),
    )
  })

  it.each([
    ['', 'must be valid JSON'],
    ['{"a": 1,}', 'must be valid JSON'],
    ['{} // a comment', 'must be valid JSON'],
    ['\ufeff{}', 'must be valid JSON'],
    ['NaN', 'must be valid JSON'],
    ['{"a": {"b": 1, "b": 2}}', 'must not contain the name "b" twice'],
    ['{"a": 1, "\\u0061": 2}', 'must not contain the name "a" twice'],
    ['[{"__proto__": {}}]', 'must not contain the name __proto__'],
    ['["\\u0000"]', 'must not contain NUL characters'],
    ['{"\\ud800": 1}', 'must be well-formed Unicode'],
  ])('is not %j', (sent, text) => {
    expect(refusal(anything.decode(sent, 'UTC'))).toBe(text)
  })

  it('may have the same name in two objects', () => {
    expect(anything.decode('[{"a": {"a": 1}}, {"a": 2}]', 'UTC')).toEqual(expect.any(String))
  })

  it('is refused above 10 levels, and overflows no stack', () => {
    expect(anything.decode(nested(10), 'UTC')).toBe(nested(10))
    for (const levels of [11, 32_000]) expect(refusal(anything.decode(nested(levels), 'UTC'))).toBe('must be at most 10 levels deep')
  })

  it('is refused above 10 levels as a value as well', () => {
    const value = jsonValue(Type.Unknown())
    const arrays = (levels: number) => JSON.parse(nested(levels))
    expect(value.decode(arrays(10), 'UTC')).toBe(nested(10))
    for (const levels of [11, 20_000]) expect(refusal(value.decode(arrays(levels), 'UTC'))).toBe('must be at most 10 levels deep')
  })

  it('is refused above its maximum size in bytes', () => {
    expect(refusal(anything.decode(JSON.stringify('ł'.repeat(32_768)), 'UTC'))).toBe('must be at most 65536 bytes')
    expect(refusal(hours.decode(`{}${' '.repeat(29)}`, 'UTC'))).toBe('must be at most 30 bytes')
  })

  it.each([
    ['[]', 'must match its schema: must be object'],
    ['{"1": true}', 'must match its schema: /1 must be equal to constant'],
    ['{"1": [1, 1441]}', 'must match its schema: /1/1 must be <= 1440'],
    ['{"9": 1}', 'must match its schema: /9 is not allowed'],
    ['{"1": [13]}', 'must not have 13'],
  ])('names the place where %s does not match', (sent, text) => {
    expect(refusal(hours.decode(sent, 'UTC'))).toBe(text)
  })

  it('may be an object without an optional name', () => {
    for (const sent of ['{}', '{"1": false}', '{"1": [1, 1440]}']) expect(hours.decode(sent, 'UTC')).toBe(sent)
  })
})
