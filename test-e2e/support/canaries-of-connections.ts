import { eventually, type HttpClient } from '@caseway/testing'
import { expect } from '@jest/globals'
import { grant, inDatabase, type Scene } from './canaries.js'

interface Connection {
  PartnerOauth2: { authorization_url: string; state: string }
  id: number
}

/** Connects an office with the accounting platform, with every kind of answer, and disconnects it. */
export async function connectToPlatform(at: Scene, api: HttpClient): Promise<void> {
  const { platform } = at
  const post = (fields: object) => api.post<Connection>('/partner_oauth2', { PartnerOauth2: fields })
  const companies = ['1', '2'].map((id) => ({ company_id: id, name: 'Sample', active: true, flat_rate: false }))
  const account = await platform.account({ companies })
  const begin = async (name: string) => {
    const { body } = await api.get<Connection>('/partner_oauth2/authorize')
    const { code, state, iss } = await platform.agree(account, body.PartnerOauth2.authorization_url)
    return { auth_code: at.keep(`code, ${name}`, code), state: at.keep(`state, ${name}`, state ?? ''), iss }
  }
  const answer = await begin('first')
  const { status, body } = await post(answer)
  expect(status).toBe(300)
  expect((await post({ ...answer, auth_code: at.secret('code with a used state') })).status).toBe(400)
  expect((await post({ auth_code: at.secret('code that nobody gave'), iss: at.secret('issuer') })).status).toBe(400)
  const faults = {
    'token without JSON': { status: 200, body: at.secret('token as text') },
    'token of no type': { status: 200, body: JSON.stringify({ access_token: at.secret('token of no type'), token_type: 7 }) },
    'error with a secret': { status: 400, body: JSON.stringify({ error: at.secret('error'), error_description: at.secret('described') }) },
  }
  for (const [name, fault] of Object.entries(faults)) {
    await platform.misbehave('token', fault)
    expect((await post(await begin(name))).status).toBe(503)
  }
  await platform.behave()
  const lies = { companies: [{ ...companies[0], name: `${at.text('company')}\n`, flat_rate: at.text('flat rate') }] }
  await platform.misbehave('companies', { status: 200, body: JSON.stringify(lies) })
  expect((await post(await begin('lies'))).status).toBe(503)
  await platform.behave()
  expect((await api.put(`/partner_oauth2/${body.id}`, { PartnerOauth2: { company_id: '1', name: at.text('integration') } })).status).toBe(
    200,
  )
  const { revocation: before } = await platform.requests()
  expect((await api.delete(`/partner_oauth2/${body.id}`)).status).toBe(200)
  await eventually(async () => expect((await platform.requests()).revocation).toBe(before + 1))
  for (const [index, { access_token, refresh_token }] of (await platform.issued()).entries()) {
    at.keep(`access token of the platform, ${index}`, access_token)
    if (refresh_token) at.keep(`refresh token of the platform, ${index}`, refresh_token)
  }
}

/** Connects a mailbox by OAuth, with every kind of answer of the provider, and one by password. */
export async function connectMailbox(at: Scene): Promise<void> {
  const { platform } = at
  const { username, password } = at.demo.offices[0]?.accounts.expert ?? { username: '', password: '' }
  const signedIn = await grant(at, { grant_type: 'password', username, password: at.keep('password of an expert', password) })
  const api = at.experts.as(at.keep('access token of an expert', signedIn.body.access_token))
  const place = { server_protocol: 2, server_address: '127.0.0.1', server_port: 993, server_encryption: 2 }
  const person = { user_email: 'canary@office.example', user_login: 'canary', ...place }
  const create = (fields: object) => api.post<{ id: number }>('/mail_server', { MailServer: { ...person, ...fields } })
  expect((await create({ user_password: at.secret('password of a mailbox') })).status).toBe(201)
  const { status, body } = await create({ oauth_provider: 'custom' })
  expect(status).toBe(201)
  const path = `/mail_server/${body.id}/oauth2`
  const account = await platform.account({})
  const begin = async (name: string) => {
    const question = { provider: 'custom', redirect_uri: 'https://office.example/connected' }
    const { body } = await api.post<{ MailServerOauth2: { authorization_url: string } }>(path, { MailServerOauth2: question })
    const { code, state } = await platform.agree(account, body.MailServerOauth2.authorization_url)
    return { code: at.keep(`code of a mailbox, ${name}`, code), state: at.keep(`state of a mailbox, ${name}`, state ?? '') }
  }
  const put = (answer: object) => api.put(path, { MailServerOauth2: answer })
  expect((await put({ ...(await begin('refused')), code: at.secret('code of a mailbox that nobody gave') })).status).toBe(400)
  await platform.misbehave('token', { status: 400, body: JSON.stringify({ error: at.secret('error of a mail provider') }) })
  expect((await put(await begin('failing'))).status).toBe(503)
  await platform.behave()
  expect((await put(await begin('first'))).status).toBe(200)
  const { token: before } = await platform.requests()
  await inDatabase(at, "UPDATE mail_grants SET refresh_at = now() - interval '1 hour'", 'mail')
  expect((await api.post(`/mail_server/${body.id}/test`)).status).toBe(200)
  expect((await platform.requests()).token).toBe(before + 1)
  for (const [index, { access_token, refresh_token }] of (await platform.issued()).entries()) {
    at.keep(`access token of a mailbox, ${index}`, access_token)
    if (refresh_token) at.keep(`refresh token of a mailbox, ${index}`, refresh_token)
  }
}

/** Sends events to a webhook whose URL is secret, and which refuses them with secrets in its answers. */
export async function tellWebhook(at: Scene, api: HttpClient): Promise<void> {
  const { receiver } = at
  receiver.answer = (response) =>
    void response.writeHead(500, { 'x-reason': at.secret('header of a receiver') }).end(at.secret('body of a receiver'))
  const fields = { url: `${receiver.url}/${at.secret('webhook-path')}`, events: ['tag.created', 'issue.updated'] }
  expect((await api.post('/webhook', { Webhook: fields })).status).toBe(400)
  const { status, body } = await api.post<{ id: number; secret: string }>('/webhook', { Webhook: { ...fields, events: ['issue.updated'] } })
  expect([status, body]).toMatchObject([201, { secret: expect.any(String) }])
  at.keep('secret of a webhook', body.secret)
  const replaced = await api.post<{ secret: string }>(`/webhook/${body.id}/secret`)
  at.keep('second secret of a webhook', replaced.body.secret)
  expect((await api.post(`/webhook/${body.id}/test`)).status).toBe(200)
  const issue = await api.post<{ id: number }>('/issue', { Issue: { subject: 'A case' } })
  expect((await api.put(`/issue/${issue.body.id}`, { Issue: { subject: at.text('subject that a webhook tells') } })).status).toBe(200)
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(1))
  const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(','))
  for (const [index, [, signature]] of signatures.entries()) at.keep(`signature of a webhook, ${index}`, signature ?? '')
  expect((await api.delete(`/webhook/${body.id}`)).status).toBe(200)
}
