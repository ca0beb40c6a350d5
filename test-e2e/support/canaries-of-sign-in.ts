import type { HttpClient } from '@caseway/testing'
import { otpOf } from '@caseway/testing/one-time-password'
import { expect } from '@jest/globals'
import { account, grant, type Scene } from './canaries.js'

export async function signInInEveryWay(at: Scene): Promise<HttpClient> {
  const present = account(at)
  const first = await grant(at, { grant_type: 'password', ...present })
  const change = { User: { current_password: present.password, password: at.secret('password') } }
  const changed = await at.experts.as(first.body.access_token).put('/user/me', change)
  expect(changed.status).toBe(200)
  at.keep('first password', present.password)
  const { body: signedIn } = await grant(at, { grant_type: 'password', ...account(at) })
  const { body: exchanged } = await grant(at, { grant_type: 'refresh_token', refresh_token: signedIn.refresh_token })
  for (const [name, { access_token, refresh_token }] of Object.entries({ first: first.body, signedIn, exchanged })) {
    at.keep(`access token, ${name}`, access_token)
    at.keep(`signature, ${name}`, access_token.split('.')[2] ?? '')
    at.keep(`refresh token, ${name}`, refresh_token)
  }
  const technical = at.demo.offices[0]?.technical ?? { client_id: '', client_secret: '' }
  at.keep('client secret', technical.client_secret)
  const basic = at.keep('basic', Buffer.from(`${technical.client_id}:${technical.client_secret}`).toString('base64'))
  await grant(at, { grant_type: 'client_credentials', ...technical })
  await grant(at, { grant_type: 'client_credentials', client_id: undefined }, { authorization: `Basic ${basic}` })
  const api = at.experts.as(exchanged.access_token)
  const { body } = await api.post<{ ticket: string }>('/event/ticket', {})
  at.keep('ticket', body.ticket)
  await fetch(`${at.demo.base_url}/rest/event/stream?ticket=${body.ticket}`).then((answer) => answer.body?.cancel())
  expect((await at.experts.get(`/event/stream?ticket=${body.ticket}`)).status).toBe(401)
  return api
}

/** Signs in with a second factor, with a wrong code and with a recovery code. */
export async function signInWithSecondFactor(at: Scene): Promise<void> {
  const { username, password } = at.demo.offices[0]?.accounts.specialist ?? { username: '', password: '' }
  const present = { grant_type: 'password', username, password: at.keep('password of a specialist', password) }
  const api = at.experts.as((await grant(at, present)).body.access_token)
  const path = '/user/me/second_factor'
  const begun = await api.post<{ SecondFactor: { secret: string } }>(path, { SecondFactor: { current_password: password } })
  const secret = at.keep('secret of a second factor', begun.body.SecondFactor.secret)
  const SecondFactor = { otp: otpOf(secret) }
  const confirmed = await api.put<{ SecondFactor: { recovery_codes: string[] } }>(path, { SecondFactor })
  const { recovery_codes: codes } = confirmed.body.SecondFactor
  for (const [index, code] of codes.entries()) at.keep(`recovery code ${index}`, code)
  expect((await grant(at, { ...present, otp: at.secret('wrong code') })).status).toBe(400)
  expect((await grant(at, { ...present, otp: codes[0] })).status).toBe(200)
  const wrong = await api.request('DELETE', path, { SecondFactor: { current_password: password, otp: at.secret('another wrong code') } })
  expect([wrong.status, wrong.body]).toMatchObject([400, { errorMessages: { otp: 'is incorrect' } }])
}

export async function tokensThatFail(at: Scene): Promise<void> {
  const technical = at.demo.offices[0]?.technical
  await grant(at, { grant_type: 'password', username: at.text('username'), password: at.secret('wrong password') })
  await grant(at, { grant_type: 'refresh_token', refresh_token: at.secret('unknown refresh token') })
  await grant(at, { grant_type: 'client_credentials', client_id: technical?.client_id, client_secret: at.secret('wrong client secret') })
  await grant(at, { grant_type: 'client_credentials' }, { authorization: `Basic ${at.secret('malformed basic')}` })
  await grant(at, { grant_type: at.secret('grant'), password: ['a', at.secret('password in a list')] })
  await at.experts.post('/token', `{"password": "${at.secret('password in malformed JSON')}`)
  const form = new URLSearchParams({ grant_type: 'password', client_id: at.demo.client_id, username: 'a', password: at.secret('form') })
  await at.experts.request('POST', '/token', String(form), { 'content-type': 'application/x-www-form-urlencoded' })
  await at.experts.request('POST', '/token', at.secret('as plain text'), { 'content-type': 'text/plain' })
  await at.experts.post(`/token?password=${at.secret('in the query')}`, {})
  // Reused after its successor was used, which ends the family.
  const { body: first } = await grant(at, { grant_type: 'password', ...account(at) })
  const { body: second } = await grant(at, { grant_type: 'refresh_token', refresh_token: at.keep('stolen', first.refresh_token) })
  await grant(at, { grant_type: 'refresh_token', refresh_token: at.keep('successor', second.refresh_token) })
  expect((await grant(at, { grant_type: 'refresh_token', refresh_token: first.refresh_token })).status).toBe(400)
  for (const credentials of [at.secret('no token'), `Bearer ${at.secret('bad token')}`, `Bearer ${at.secrets['access token, first']}x`]) {
    expect((await at.experts.get('/tag', { authorization: credentials, cookie: `session=${at.secret('cookie')}` })).status).toBe(401)
  }
}
