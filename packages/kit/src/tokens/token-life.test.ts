import { expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { tokenLifeMs } from './token-life.js'

it('the life of a token is from its beginning to its end', () => {
  expect(tokenLifeMs(jwt.sign({ iat: 1_000, exp: 1_900 }, 'secret'))).toBe(900_000)
  expect(tokenLifeMs(jwt.sign({ exp: 1_900 }, 'secret', { noTimestamp: true }), 1_500_000)).toBe(400_000)
})
