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

describe('a token request', () => {
  it('keeps its parameters unchanged', () => {
    expect(readTokenRequest(password, undefined)).toEqual({
      ...{ grantType: 'password', clientId: 'frontend', clientSecret: undefined },
      ...{ username: 'ada', password: ' p ', refreshToken: '' },
    })
    expect(readTokenRequest({ grant_type: 'refresh_token', client_id: 'a', client_secret: 's', refresh_token: 't' }, undefined)).toEqual({
      ...{ grantType: 'refresh_token', clientId: 'a', clientSecret: 's' },
      ...{ username: '', password: '', refreshToken: 't' },
    })
  })

  it.each([password, { grant_type: 'client_credentials' }])('requires client_id, unless it is a refresh: %j', (request) => {
    expect(codeOf({ ...request, client_id: undefined })).toBe('invalid_request')
    const refresh = { ...request, grant_type: 'refresh_token', client_id: undefined, refresh_token: 't' }
    expect(codeOf(refresh)).toMatchObject({ clientId: undefined })
    expect(codeOf(refresh, `Basic ${btoa(':secret')}`)).toBe('invalid_request')
  })

  it('ignores unknown parameters and the prototype', () => {
    expect(readTokenRequest({ ...password, device: 5 }, undefined)).toMatchObject({ clientId: 'frontend' })
    expect(codeOf(Object.create(password))).toBe('invalid_request')
  })

  it.each([undefined, null, 'text', 5, [password]])('must be an object: %j is not', (body) => expect(codeOf(body)).toBe('invalid_request'))

  it('has at most 1024 characters in each parameter', () => {
    expect(codeOf({ ...password, password: 'x'.repeat(1024) })).toMatchObject({ username: 'ada' })
    expect(codeOf({ ...password, password: 'x'.repeat(1025) })).toBe('invalid_request')
  })
})

describe('a request that is refused', () => {
  const request = { grant_type: 'client_credentials', client_id: 'a' }
  const refresh = { grant_type: 'refresh_token', client_id: 'a' }
  it.each<[string, unknown, string, string]>([
    ['no object', [password], 'invalid_request', 'The body must be an object.'],
    ['no grant', { ...password, grant_type: null }, 'invalid_request', 'grant_type is required.'],
    ['another grant', { ...password, grant_type: 'implicit' }, 'unsupported_grant_type', 'This grant_type is not supported.'],
    ['no client', { ...password, client_id: '' }, 'invalid_request', 'client_id is required.'],
    ['no username', { ...password, username: undefined }, 'invalid_request', 'username is required.'],
    ['no password', { ...password, password: '' }, 'invalid_request', 'password is required.'],
    ['no refresh token', refresh, 'invalid_request', 'refresh_token is required.'],
    ['a scope', { ...request, scope: 'all' }, 'invalid_scope', 'There are no scopes here.'],
    ['a list', { ...password, username: ['ada', 'eve'] }, 'invalid_request', 'username must be given once, as text.'],
    ['too long a text', { ...password, username: 'x'.repeat(1025) }, 'invalid_request', 'username is too long.'],
    ['a NUL', { ...password, username: 'a\0' }, 'invalid_request', 'username holds characters that cannot be.'],
    ['half a character', { ...password, password: '\ud800' }, 'invalid_request', 'password holds characters that cannot be.'],
  ])('says so: %s', (_, body, code, message) => {
    expect(() => readTokenRequest(body, undefined)).toThrow(expect.objectContaining({ code, message }))
  })
})

describe('the client', () => {
  const request = { grant_type: 'client_credentials' }

  it('may be in a Basic header, form-encoded', () => {
    expect(readTokenRequest(request, basic('a%3Ab+c:s%25:t'))).toMatchObject({ clientId: 'a:b c', clientSecret: 's%:t' })
    expect(readTokenRequest(request, basic('a:').replace('Basic', 'basic  '))).toMatchObject({ clientSecret: '' })
  })

  it('may be given twice if both are equal', () => {
    expect(codeOf({ ...request, client_id: 'a' }, basic('a:s'))).toMatchObject({ clientId: 'a', clientSecret: 's' })
    const twice = expect.objectContaining({ code: 'invalid_request', message: 'The client must authenticate in one way only.' })
    for (const more of [{ client_id: 'b' }, { client_secret: 's' }])
      expect(() => readTokenRequest({ ...request, ...more }, basic('a:s'))).toThrow(twice)
  })

  it('is not read from a header of another scheme', () => {
    expect(codeOf({ ...request, client_id: 'a' }, 'Bearer abc')).toMatchObject({ clientId: 'a', clientSecret: undefined })
    for (const header of ['Basic', `Also ${basic('a:s')}`, `${basic('a:s')} more`, undefined])
      expect(() => readTokenRequest(request, header)).toThrow(expect.objectContaining({ message: 'client_id is required.' }))
  })

  it.each(['%', '%zz:s', 'a%00:s', '%ff:s'])('credentials %j are invalid', (text) => {
    const unread = { code: 'invalid_client', message: 'The credentials of the client cannot be read.' }
    expect(() => readTokenRequest(request, basic(text))).toThrow(expect.objectContaining(unread))
  })
})
