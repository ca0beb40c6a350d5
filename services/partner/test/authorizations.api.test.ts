import { createHash } from 'node:crypto'
import { auditTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Answer, another, listOf, newOffice, type Partner, path, plain, post, startPartner } from './support/integrations.js'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.stop())

const authorize = async (http: HttpClient) => {
  const { body } = await http.get<Answer>(`${path}/authorize`)
  return new URL(body.PartnerOauth2?.authorization_url ?? '')
}

/** Begins an authorization in this session, and returns the parameters with which the platform redirects the browser back. */
async function beginAuthorization(http: HttpClient, ...companies: (typeof plain)[]) {
  const account = await partner.platform.account({ companies: companies.length > 0 ? companies : [plain] })
  const address = await authorize(http)
  const { code, state, iss } = await partner.platform.agree(account, address.href)
  return { account, address, answer: { auth_code: code, state, iss } }
}

/** Makes the authorizations of an office ten minutes older. */
const expire = (customerId: bigint) =>
  partner.database.rows("UPDATE authorizations SET expires = expires - interval '10 minutes' WHERE customer_id = $1", [customerId])

const refused = { state: 'is not valid; ask for a new address of the accounting platform' }

/** Expects that a POST is refused without a row or a request to the platform. */
async function expectRefusal(http: HttpClient, fields: object, errorMessages: object = refused) {
  const before = await partner.platform.requests()
  const { status, body } = await post(http, fields)
  expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
  expect(await partner.platform.requests()).toEqual(before)
  expect(await listOf(http)).toEqual([])
}

describe('the address of the platform', () => {
  it('carries a state of 256 bits, a PKCE challenge by S256, and exactly the redirect URI', async () => {
    const { origin, pathname, searchParams } = await authorize(newOffice(partner).http)
    expect(origin + pathname).toBe(`${partner.platform.issuer}/auth`)
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ scope: 'companies', response_type: 'code', client_id: 'caseway', code_challenge_method: 'S256' },
      redirect_uri: partner.platform.variables.PARTNER_REDIRECT_URI,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  it('has a new state each time, of which only the hash is stored', async () => {
    const { http, customerId } = newOffice(partner)
    const states = [await authorize(http), await authorize(http)].map(({ searchParams }) => searchParams.get('state') ?? '')
    expect(new Set(states).size).toBe(2)
    const rows = await partner.database.rows('SELECT encode(hash, $2) AS hash FROM authorizations WHERE customer_id = $1', [
      customerId,
      'hex',
    ])
    const hashes = states.map((state) => ({ hash: createHash('sha256').update(state).digest('hex') }))
    expect(rows).toEqual(expect.arrayContaining(hashes))
  })
})

describe('an answer with its state', () => {
  it('connects the office', async () => {
    const { http } = newOffice(partner)
    const { answer } = await beginAuthorization(http)
    expect((await post(http, answer)).status).toBe(200)
  })

  it('connects the office once, also when it is repeated', async () => {
    const { http } = newOffice(partner)
    const { answer } = await beginAuthorization(http, plain, another)
    const [first, second] = [await post(http, answer), await post(http, answer)]
    expect([second.status, second.text]).toEqual([300, first.text])
    expect(await listOf(http)).toHaveLength(1)
  })

  it('gets the same answer after ten minutes, in its own session only', async () => {
    const { http, customerId, administrator } = newOffice(partner)
    const { answer } = await beginAuthorization(http)
    const first = await post(http, answer)
    await expire(customerId)
    const again = await post(http, answer)
    expect([again.status, again.text]).toEqual([200, first.text])
    const others = [
      await post(http, { ...answer, auth_code: 'another' }),
      await post(partner.asExpert(administrator), answer),
      await post(newOffice(partner).http, answer),
    ]
    expect(others.map(({ status, body }) => [status, body.errorMessages])).toEqual(Array(3).fill([400, refused]))
  })

  it('is refused by the platform with the code of another authorization', async () => {
    const { http } = newOffice(partner)
    const [mine, theirs] = [await beginAuthorization(http), await beginAuthorization(newOffice(partner).http)]
    const { status, body } = await post(http, { ...mine.answer, auth_code: theirs.answer.auth_code })
    expect([status, body.errorMessages]).toEqual([400, { auth_code: 'was refused by the accounting platform' }])
  })

  it('without the state is refused by the platform, which requires the verifier', async () => {
    const { http } = newOffice(partner)
    const { answer } = await beginAuthorization(http)
    expect((await post(http, { auth_code: answer.auth_code })).status).toBe(400)
  })
})

describe('a state is refused, nothing is stored, and the code is not sent', () => {
  it('of another session', async () => {
    const { administrator, http } = newOffice(partner)
    await expectRefusal(partner.asExpert(administrator), (await beginAuthorization(http)).answer)
  })

  it('of another session of the same person', async () => {
    const { http, employee, expert } = newOffice(partner)
    const { token, userId } = employee('expert', expert.userId)
    partner.auth.rights.set(userId, ['integrations.manage'])
    await expectRefusal(partner.http('expert', token), (await beginAuthorization(http)).answer)
  })

  it('of another office', async () => {
    await expectRefusal(newOffice(partner).http, (await beginAuthorization(newOffice(partner).http)).answer)
  })

  it('that was used for another code', async () => {
    const { http } = newOffice(partner)
    const { answer, account, address } = await beginAuthorization(http)
    await post(http, { ...answer, auth_code: 'unknown' })
    await expectRefusal(http, answer)
    const { code } = await partner.platform.agree(account, address.href)
    await expectRefusal(http, { ...answer, auth_code: code })
  })

  it('that has expired', async () => {
    const { http, customerId } = newOffice(partner)
    const { answer } = await beginAuthorization(http)
    await expire(customerId)
    await expectRefusal(http, answer)
  })

  it('that has expired before its code got an answer', async () => {
    const { http, customerId } = newOffice(partner)
    const { answer } = await beginAuthorization(http)
    await partner.platform.misbehave('token', { status: 503 })
    expect((await post(http, answer)).status).toBe(503)
    await partner.platform.behave()
    await expire(customerId)
    await expectRefusal(http, answer)
    // It is also refused where a process died during the exchange.
    await partner.database.rows(
      'INSERT INTO auth_codes (hash, customer_id, claim, claimed_until) VALUES ($1, $2, gen_random_uuid(), now())',
      [createHash('sha256').update(answer.auth_code).digest(), customerId],
    )
    await expectRefusal(http, answer)
  })

  it('that was never issued', async () => {
    const { http } = newOffice(partner)
    await expectRefusal(http, { ...(await beginAuthorization(http)).answer, state: 'a'.repeat(43) })
  })

  it('and this is recorded in the audit trail', async () => {
    const { http, customerId } = newOffice(partner)
    await post(http, { auth_code: 'a', state: 'b', iss: partner.platform.issuer })
    const trail = (await partner.published(auditTopic)).map(({ event }) => event)
    expect(trail).toContainEqual(expect.objectContaining({ customerId, kind: 'integration.refused', details: { reason: 'state' } }))
  })
})

it('an answer of another issuer is refused', async () => {
  const { http } = newOffice(partner)
  const { answer } = await beginAuthorization(http)
  await expectRefusal(http, { ...answer, iss: 'https://another.example' }, { iss: 'is not the accounting platform' })
})

it('an answer without its issuer is refused, unless no issuer is configured', async () => {
  const office = newOffice(partner)
  const { answer } = await beginAuthorization(office.http)
  const { iss: _, ...withoutIssuer } = answer
  await expectRefusal(office.http, withoutIssuer, { iss: 'is required' })
  const copy = await partner.copy({ PARTNER_ISSUER: '' })
  const init = { method: 'POST', headers: { authorization: `Bearer ${office.expert.token}`, 'content-type': 'application/json' } }
  const body = JSON.stringify({ PartnerOauth2: withoutIssuer })
  expect((await fetch(`${copy.httpUrl}/expert/rest${path}`, { ...init, body })).status).toBe(200)
  await copy.stop()
})
