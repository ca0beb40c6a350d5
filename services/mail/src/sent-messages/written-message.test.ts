import { expect, it } from '@jest/globals'
import { threadOf } from './written-message.js'

const answered = { msgUniqueIdentifier: 'third@x', inReplyToMsgUid: 'second@x', reference: '' }

it.each([
  ['the references of what it answers', { reference: 'first@x second@x' }, ['first@x', 'second@x', 'third@x']],
  ['what that answers itself, where it has no references', {}, ['second@x', 'third@x']],
  ['nothing else, where it answers nothing', { inReplyToMsgUid: null }, ['third@x']],
  ['no more than what that answers, where it has no Message-ID', { msgUniqueIdentifier: null }, ['second@x']],
])('an answer names %s', (_, fields, references) => {
  expect(threadOf({ ...answered, ...fields }).references).toEqual(references)
})

it('an answer names the first of many references, and the last ones', () => {
  const ids = Array.from({ length: 80 }, (_, at) => `${at}@x`)
  const { references } = threadOf({ ...answered, reference: ids.join(' ') })
  expect(references).toEqual(['0@x', ...ids.slice(-48), 'third@x'])
})
