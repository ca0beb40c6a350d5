import { FieldError } from './field.js'
import { type Kind, kind } from './kind.js'

/** One of `words`, shown as a string. Words that are numbers are accepted as JSON numbers, too. */
export function choice<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  const known = new Map<unknown, Word>(
    words.flatMap((word) => [[word, word], ...(word === String(Number(word)) ? [[Number(word), word] as const] : [])]),
  )
  return kind<Word>({
    sql: 'text',
    input: { enum: [...known.keys()] },
    output: { type: 'string', enum: words },
    decode: (wire) => known.get(wire) ?? new FieldError(`must be one of ${words.join(', ')}`),
    encode: (word) => word,
    transcode: (word) => JSON.stringify(word),
  })
}

const flags = new Map<unknown, boolean>([
  ['0', false],
  ['1', true],
  [0, false],
  [1, true],
])

const yesOrNo = {
  sql: 'boolean',
  input: { enum: [...flags.keys()] },
  decode: (wire: unknown) => flags.get(wire) ?? new FieldError('must be 0 or 1'),
} as const

/** A boolean that is shown as `"1"` or `"0"`. Accepts the strings and the numbers 0 and 1. */
export const flagText = kind<boolean>({
  ...yesOrNo,
  output: { type: 'string', enum: ['0', '1'] },
  encode: (flag) => (flag ? '1' : '0'),
  transcode: (flag) => (flag === 't' ? '"1"' : '"0"'),
})

/** A boolean that is shown as 1 or 0. Accepts the strings and the numbers 0 and 1. */
export const flagInteger = kind<boolean>({
  ...yesOrNo,
  output: { type: 'integer', enum: [0, 1] },
  encode: Number,
  transcode: (flag) => (flag === 't' ? '1' : '0'),
})
