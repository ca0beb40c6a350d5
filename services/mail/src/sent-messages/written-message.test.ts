import { expect, it } from '@jest/globals'
import { threadOf } from './written-message.js'

const answered = { msgUniqueIdentifier: 'third@x', inReplyToMsgUid: 'second@x', reference: '' }

it.each([
  ['the references of what it answers', { reference: 'first@x second@x' }, ['first@x', 'second@x', 'third@x']],
  ['the message before the answered one, where that has no references', {}, ['second@x', 'third@x']],
  ['only the answered message, where that answers nothing', { inReplyToMsgUid: null }, ['third@x']],
  ['only the message before the answered one, where that has no Message-ID', { msgUniqueIdentifier: null }, ['second@x']],
])('an answer names %s', (_, fields, references) => {
  expect(threadOf({ ...answered, ...fields }).references).toEqual(references)
})

it('an answer names the first of many references, and the last ones', () => {
  const ids = Array.from({ length: 80 }, (_, at) => `${at}@x`)
  const { references } = threadOf({ ...answered, reference: ids.join(' ') })
  expect(references).toEqual(['0@x', ...ids.slice(-48), 'third@x'])
})
