import { expect, it } from '@jest/globals'
import { platformVariables } from './platform-variables.js'

it.each([
  ...['https://id.test', 'https://id.test/', 'http://127.0.0.1:8080/realms/a'].map((issuer) => [issuer, issuer] as const),
  ...['id.test', 'https://', 'https://id.test?a=b', 'https://id.test#a', 'ftp://id.test'].map((refused) => [refused, undefined] as const),
])('takes %s for the issuer %s, as it is written', (given, taken) => {
  expect(platformVariables.ISSUER.parse(given)).toBe(taken)
})
