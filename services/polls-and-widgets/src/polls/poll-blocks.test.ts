import { describe, expect, it } from '@jest/globals'
import { wrongPoll } from './poll-blocks.js'

const short = (title: string, more: object = {}) => ({ type: 'shortQuestion', data: { title, required: true, ...more } })
const select = (...values: string[]) => ({ type: 'selectQuestion', data: { title: 'Which?', options: values.map((value) => ({ value })) } })
const scale = (from: number, to: number) => ({
  type: 'lineScaleQuestion',
  data: {
    title: 'How?',
    line_scale: [{ label_from: { text: 'bad', value: from } }, { label_to: { text: 'good', value: to } }],
  },
})
const header = { type: 'header', data: { poll_id: '' } }
const contact = { type: 'contact', data: {} }

/** As many questions of 314 bytes each, with the options selected. */
const wide = (count: number) => {
  const options = Array.from({ length: 5 }, (_, i) => ({ value: `${i}`.padEnd(11) }))
  return Array.from({ length: count }, (_, i) => ({ type: 'multipleOptionQuestion', data: { title: `${i}`.padEnd(49), options } }))
}

describe('the blocks of a poll', () => {
  it.each([
    ['may begin with a header', [header, short('A')]],
    ['may ask for a contact', [short('A'), contact]],
    ['may ask for a contact with empty fields', [short('A'), { type: 'contact', data: { email: '', phone: ' ' } }]],
    ['may have a scale of 100 steps', [scale(-49, 50)]],
    ['may be so large that an answer has 8 KiB for what is written', wide(182)],
    ['may be 200', Array.from({ length: 200 }, (_, i) => short(`${i}`))],
  ])('%s', (_, blocks) => expect(wrongPoll(blocks)).toBeUndefined())

  it.each([
    ['nothing', [], 'must have a question'],
    ['no question', [header, contact], 'must have a question'],
    ['a header that is not the first', [short('A'), header], 'must be blocks of a poll; 1: must not be a header'],
    ['two contacts', [short('A'), contact, contact], 'must be blocks of a poll; 2: must not be another contact'],
    ['a title twice', [short('A'), short('A')], 'must be blocks of a poll; 1: title must not be that of another question'],
    ['a value', [short('A', { value: 'x' })], 'must be blocks of a poll; 0: must not have a value'],
    [
      'a contact of somebody',
      [short('A'), { type: 'contact', data: { phone: '1' } }],
      'must be blocks of a poll; 1: must not have a value',
    ],
    ['an option twice', [select('a', 'b', 'a')], 'must be blocks of a poll; 0: options must not repeat "a"'],
    ['a scale that leads down', [scale(2, 1)], /^must be blocks of a poll; 0: line_scale must lead up/],
    ['a scale of 101 steps', [scale(0, 100)], /^must be blocks of a poll; 0: line_scale must lead up/],
    ['larger', wide(183), 'must be at most 57344 bytes with every option selected'],
    ['201 blocks', Array.from({ length: 201 }, (_, i) => short(`${i}`)), /; 200: is one too many: there may be at most 200 blocks$/],
    ['what is no block', [null, { type: '__proto__' }], /0: must be an object with a type of header, .*; 1: must be an object/],
    ['wrong data', [{ type: 'shortQuestion', data: { required: 1 } }], /0: title is required; required must be boolean$/],
  ])('are not %s', (_, blocks, text) => {
    expect(wrongPoll(blocks)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  })
})
