import { describe, expect, it } from '@jest/globals'
import { answersOf, respondentOf, wrongAnswer } from './answered.js'
import type { Block } from './block.js'

const header = { type: 'header', data: { poll_id: '1-x' } }
const long = (data: object) => ({ type: 'longQuestion', data: { title: 'Why?', ...data } })
const options = (...selected: boolean[]) => selected.map((selected, i) => ({ value: `${i}`, selected }))
const chosen = (type: string, ...selected: boolean[]) => ({
  type,
  data: { title: 'Which?', required: true, options: options(...selected) },
})
const scale = (value?: number, from = 1, to = 5) => ({
  type: 'lineScaleQuestion',
  data: { title: 'How?', value, line_scale: [{ label_from: { text: '', value: from } }, { label_to: { text: '', value: to } }] },
})
const contact = (data: object = {}) => ({ type: 'contact', data })

describe('the blocks of an answer', () => {
  it.each([
    ['a header alone', [header]],
    ['a question that was left out', [header, long({}), long({ required: false, value: ' ' }), scale()]],
    ['several of many options', [header, chosen('multipleOptionQuestion', true, true)]],
    ['the ends of a scale', [header, scale(1), scale(5)]],
    ['a contact that says nothing', [header, contact({ email: '', phone: ' ' })]],
  ])('may be %s', (_, blocks) => expect(wrongAnswer(blocks)).toEqual({}))

  it.each([
    ['nothing', [], { 0: 'must be a header' }],
    ['no header', [long({ value: 'x' })], { 0: 'must be a header' }],
    ['two headers', [header, header], { 1: 'must not be another header' }],
    ['no text where one is required', [header, long({ required: true, value: ' \n' })], { 1: 'is required' }],
    ['no option where one is required', [header, chosen('selectQuestion', false)], { 1: 'is required' }],
    ['two options of one', [header, chosen('oneOptionQuestion', true, true)], { 1: 'must have at most one selected option' }],
    ['two options of a list', [header, chosen('selectQuestion', true, true)], { 1: 'must have at most one selected option' }],
    ['what is not on the scale', [header, scale(0), scale(6)], { 1: 'value must be from 1 to 5', 2: 'value must be from 1 to 5' }],
    ['a scale that leads down', [header, scale(undefined, 5, 1)], { 1: 'line_scale must not lead down from 5 to 1' }],
    ['two contacts', [header, contact(), contact()], { 2: 'must not be another contact' }],
    [
      'an address that is none',
      [header, contact({ email: 'x', phone: 'a\nb' })],
      { 1: expect.stringMatching(/^email must .*; phone must /) },
    ],
    ['several wrong ones', [{}, long({ value: 1 })], { 0: expect.stringMatching(/^must be an object/), 1: 'value must be string' }],
    ['a text of 4,001', [header, long({ value: 'x'.repeat(4001) })], { 1: 'value must be at most 4000 characters' }],
  ])('are not %s', (_, blocks, wrong) => expect(wrongAnswer(blocks)).toEqual(wrong))
})

it('what was answered is read as text', () => {
  const read = (block: object) => answersOf(block as never)
  expect(read(long({ value: 'So.' }))).toEqual(['So.'])
  expect(read(chosen('multipleOptionQuestion', true, false, true))).toEqual(['0', '2'])
  expect(read(scale(4))).toEqual(['4'])
})

it('the respondent is who the contact names', () => {
  const named = [header, contact({ email: 'a@b.example', company: ' ' })] as Block[]
  expect(respondentOf(named)).toEqual({ email: 'a@b.example', firstname: null, lastname: null, phone: null, company: null })
})
