import { expect, it } from '@jest/globals'
import { mailVariables } from './mail-variables.js'

it.each([
  'no-reply@example.com',
  'Caseway <no-reply@example.com>',
  '"Caseway, Inc." <no-reply@example.com>',
  'Caseway <caseway@localhost>',
])('mails can be sent from %s', (sender) => {
  expect(mailVariables.MAIL_FROM.parse(sender)).toBe(sender)
})

it.each([
  'Caseway',
  'Caseway <no-reply>',
  'Caseway <no-reply@example.com',
  'a@example.com, b@example.com',
  'Case\r\nway <a@example.com>',
  '<>',
])('mails cannot be sent from %j', (sender) => {
  expect(mailVariables.MAIL_FROM.parse(sender)).toBeUndefined()
})
