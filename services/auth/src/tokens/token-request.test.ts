import { describe, expect, it } from '@jest/globals'
import { readTokenRequest } from './token-request.js'

const password = { grant_type: 'password', client_id: 'frontend', username: 'ada', password: ' p ' }
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const codeOf = (body: unknown, authorization?: string) => {
  try {
    return readTokenRequest(body, authorization)
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a request for a token', () => {
  it('is read as it was sent', () => {
    expect(readTokenRequest(password, undefined)).toEqual({
      ...{ grantType: 'password', clientId: 'frontend', clientSecret: undefined },
      ...{ username: 'ada', password: ' p ', refreshToken: '' },
    })
    expect(readTokenRequest({ grant_type: 'refresh_token', client_id: 'a', refresh_token: 't' }, undefined)).toMatchObject({
      refreshToken: 't',
    })
  })

  it('does not see what it does not know, nor the prototype', () => {
    expect(readTokenRequest({ ...password, device: 5 }, undefined)).toMatchObject({ clientId: 'frontend' })
    expect(codeOf(Object.create(password))).toBe('invalid_request')
  })

  it.each([undefined, null, 'text', 5, [password]])('is an object: not %j', (body) => expect(codeOf(body)).toBe('invalid_request'))

  it('may be as long as 1024 characters in each parameter', () => {
    expect(codeOf({ ...password, password: 'x'.repeat(1024) })).toMatchObject({ username: 'ada' })
    expect(codeOf({ ...password, password: 'x'.repeat(1025) })).toBe('invalid_request')
  })
})

describe('the client', () => {
  const asked = { grant_type: 'client_credentials' }

  it('may come in a Basic header, encoded as a form is', () => {
    expect(readTokenRequest(asked, basic('a%3Ab+c:s%25:t'))).toMatchObject({ clientId: 'a:b c', clientSecret: 's%:t' })
    expect(readTokenRequest(asked, basic('a:').replace('Basic', 'basic'))).toMatchObject({ clientSecret: '' })
  })

  it('is named once, or twice alike', () => {
    expect(codeOf({ ...asked, client_id: 'a' }, basic('a:s'))).toMatchObject({ clientId: 'a', clientSecret: 's' })
    expect(codeOf({ ...asked, client_id: 'b' }, basic('a:s'))).toBe('invalid_request')
    expect(codeOf({ ...asked, client_secret: 's' }, basic('a:s'))).toBe('invalid_request')
  })

  it('is not looked for in a header of another kind', () => {
    expect(codeOf({ ...asked, client_id: 'a' }, 'Bearer abc')).toMatchObject({ clientId: 'a', clientSecret: undefined })
    expect(codeOf(asked, 'Basic')).toBe('invalid_request')
  })

  it.each(['%', '%zz:s', 'a%00:s', '%ff:s'])('%j cannot be read', (text) => expect(codeOf(asked, basic(text))).toBe('invalid_client'))
})
