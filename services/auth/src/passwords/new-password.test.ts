import { FieldError } from '@caseway/kit/fields'
import { expect, it } from '@jest/globals'
import { newPassword } from './new-password.field.js'

const decode = (password: string) => newPassword.decode(password, 'UTC')

it.each(['123456789', '', 'qwertyuiop', 'QwertyUiop', '1234567890', 'password123', 'x'.repeat(201), 'ten\ncharacters'])(
  '%j is refused',
  (password) => expect(decode(password)).toBeInstanceOf(FieldError),
)

it.each(['ten letter', 'correct horse battery staple', 'ąęćłńóśźżŁ', 'x'.repeat(200)])('%j may be set', (password) =>
  expect(decode(password)).toBe(password),
)

it('a common password is refused with the reason', () => {
  expect(decode('qwertyuiop')).toEqual(new FieldError('must not be one of the 100,000 most common passwords'))
})

it('counts characters in the form in which they are hashed', () => {
  const [nine, tenth] = ['ąęćńóśźżą', 'ó'].map((letters) => letters.normalize('NFD')) as [string, string]
  expect(decode(nine)).toEqual(new FieldError('must be at least 10 characters'))
  expect(decode(nine + tenth)).toBe('ąęćńóśźżąó')
  expect(decode(tenth.repeat(200))).toBe('ó'.repeat(200))
})
