import { expertUrl } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  another,
  closed,
  codeFor,
  connected,
  flat,
  listOf,
  newOffice,
  type Partner,
  path,
  pending,
  plain,
  post,
  put,
  rates,
  startPartner,
} from './support/integrations.js'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.stop())

describe('POST', () => {
  it('of an account with one active company is 200, and the integration is complete', async () => {
    const { http, customerId } = newOffice(partner)
    const { status, text, body } = await post(http, { auth_code: await codeFor(partner, closed, plain) })
    const { id, modified } = body.PartnerOauth2 ?? {}
    expect(status).toBe(200)
    expect(text).toBe(
      `{"PartnerOauth2":{"id":"${id}","customer_id":"${customerId}","company_id":"501","name":"Nowak","modified":"${modified}"}}`,
    )
    expect([id, modified]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)])
    expect(await listOf(http)).toEqual([{ id, company_id: '501', name: 'Nowak', lump_tax_rate: null }])
  })

  it.each([
    ['several active companies', [plain, closed, another], { 501: plain, 502: another }],
    ['one company with flat-rate bookkeeping', [flat], { 504: flat }],
  ])('of an account with %s is 300, with the companies to choose from', async (_, companies, offered) => {
    const { http } = newOffice(partner)
    const { status, text, body } = await post(http, { auth_code: await codeFor(partner, ...companies) })
    const choices = Object.values(offered).map(({ company_id, name }) => `"${company_id}":{"company_id":"${company_id}","name":"${name}"}`)
    const location = `${expertUrl}/rest/partner_oauth2/${body.id}`
    expect(status).toBe(300)
    expect(text).toBe(
      `{"status":"error","errorMessage":"Choose a company.","id":${body.id},"location":"${location}","companies":{${choices}}}`,
    )
    expect((await http.get(location.slice(`${expertUrl}/rest`.length))).text).toBe(
      `{"PartnerOauth2":{"id":"${body.id}","company_id":null,"name":null,"lump_tax_rate":null}}`,
    )
  })

  it.each([
    ['without a code', {}, { auth_code: 'is required' }],
    ['with a blank one', { auth_code: ' ' }, { auth_code: 'is required' }],
    ['with one of several lines', { auth_code: 'a\nb' }, { auth_code: 'must be one line without control characters' }],
    ['with one that the platform refuses', { auth_code: 'unknown' }, { auth_code: 'was refused by the accounting platform' }],
  ])('%s is 400', async (_, fields, errorMessages) => {
    const { http } = newOffice(partner)
    const { status, body } = await post(http, fields)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
    expect(await listOf(http)).toEqual([])
  })

  it.each([
    ['no active company', [closed]],
    ['no company', []],
  ])('of an account with %s is 400', async (_, companies) => {
    const { http } = newOffice(partner)
    const { status, body } = await post(http, { auth_code: await codeFor(partner, ...companies) })
    expect([status, body.errorMessages]).toEqual([400, { auth_code: 'is of an account without an active company' }])
    expect(await listOf(http)).toEqual([])
  })

  it('of a company with which the office is already connected is 409, and is accepted from another office', async () => {
    const { http } = newOffice(partner)
    await connected(partner, http)
    const { status, body } = await post(http, { auth_code: await codeFor(partner, plain) })
    expect([status, body.errorCode]).toEqual([409, 'COMPANY_INTEGRATED'])
    expect(await listOf(http)).toHaveLength(1)
    await connected(partner, newOffice(partner).http)
  })
})

describe('PUT', () => {
  it('with one of the companies is 200, and finishes the integration with its name', async () => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, plain, another)
    const { status, text } = await put(http, id, { company_id: '502' })
    expect([status, text]).toEqual([200, '{"status":"OK"}'])
    expect(await listOf(http)).toEqual([{ id: String(id), company_id: '502', name: 'Lis', lump_tax_rate: null }])
  })

  it('accepts another name, and the id as a number', async () => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, plain, another)
    expect((await put(http, id, { company_id: 501, name: 'Ours' })).status).toBe(200)
    expect(await listOf(http)).toEqual([{ id: String(id), company_id: '501', name: 'Ours', lump_tax_rate: null }])
  })

  it('of a company with flat-rate bookkeeping without a rate is 300, with the rates, and chooses nothing', async () => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, flat)
    const { status, text } = await put(http, id, { company_id: '504' })
    expect(status).toBe(300)
    expect(text).toBe(
      `{"status":"error","errorMessage":"Choose a flat rate.","id":${id},"location":"${expertUrl}/rest/partner_oauth2/${id}",` +
        '"lump_tax_rates":["3","5.5","8.5"],"default_lump_tax_rate":"5.5"}',
    )
    expect(await listOf(http)).toMatchObject([{ company_id: null }])
  })

  it.each([
    ['in another spelling', '5.50', '5.5'],
    ['that is not offered', '7', '3'],
  ])('shows a default that can be chosen where the platform has one %s', async (_, default_lump_tax_rate, said) => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, { ...flat, default_lump_tax_rate })
    expect((await put(http, id, { company_id: '504' })).body).toMatchObject({ default_lump_tax_rate: said })
  })

  it.each([
    ['lump_tax_rate', '8.5'],
    ['lump_tax_rate', '8.50'],
    ['lump_tax_rate', 8.5],
    ['tax_rate', '8.5'],
  ])('with the rate as %s %j is 200', async (field, rate) => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, plain, flat)
    expect((await put(http, id, { company_id: '504', [field]: rate, name: 'Flat one' })).status).toBe(200)
    expect((await http.get(`${path}/${id}`)).text).toBe(
      `{"PartnerOauth2":{"id":"${id}","company_id":"504","name":"Flat one","lump_tax_rate":"8.5"}}`,
    )
  })

  it.each([
    ['without a company', {}, { company_id: 'is required' }],
    ['with a company that the platform did not name', { company_id: '999' }, { company_id: 'is not one of the companies to choose from' }],
    ['with a company that is not active', { company_id: '503' }, { company_id: 'is not one of the companies to choose from' }],
    ['with a rate that is not offered', { company_id: '504', lump_tax_rate: '7' }, { lump_tax_rate: `must be one of ${rates.join(', ')}` }],
    [
      'with a rate for a company without flat-rate bookkeeping',
      { company_id: '501', lump_tax_rate: '3' },
      { lump_tax_rate: 'is for companies with flat-rate bookkeeping only' },
    ],
    ['with an empty name', { company_id: '501', name: '' }, { name: 'must not be empty' }],
    ['with a name of spaces', { company_id: '504', lump_tax_rate: '3', name: '   ' }, { name: 'must not be empty' }],
  ])('%s is 400, and chooses nothing', async (_, fields, errorMessages) => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, plain, closed, flat)
    const { status, body } = await put(http, id, fields)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages }])
    expect(await listOf(http)).toMatchObject([{ company_id: null }])
  })

  it.each([
    ['another company', 409, { company_id: '502' }],
    ['another name', 409, { name: 'Other' }],
    ['what is stored', 200, { company_id: '504', name: 'Flat', lump_tax_rate: '3.00' }],
    ['the company alone', 200, { company_id: '504' }],
    ['another rate', 200, { company_id: '504', lump_tax_rate: '8.5' }],
    ['a rate that is not offered', 400, { lump_tax_rate: '9' }],
  ])('of a complete integration with %s is %i', async (_, expected, fields) => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, flat, another)
    await put(http, id, { company_id: '504', lump_tax_rate: '3' })
    const { status, body } = await put(http, id, fields)
    expect(status).toBe(expected)
    if (status === 409) expect(body.errorCode).toBe('INTEGRATION_FINAL')
    const rate = expected === 200 && 'lump_tax_rate' in fields && fields.lump_tax_rate === '8.5' ? '8.5' : '3'
    expect(await listOf(http)).toEqual([{ id: String(id), company_id: '504', name: 'Flat', lump_tax_rate: rate }])
  })

  it('with a company with which the office is already connected is 409', async () => {
    const { http } = newOffice(partner)
    await connected(partner, http)
    const id = await pending(partner, http, plain, another)
    const { status, body } = await put(http, id, { company_id: '501' })
    expect([status, body.errorCode]).toEqual([409, 'COMPANY_INTEGRATED'])
  })

  it('of another than the current version is 412', async () => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, plain, another)
    expect((await put(http, id, { company_id: '501' }, { 'if-match': '"9"' })).status).toBe(412)
  })
})

describe('a choice', () => {
  it('is described as a 300 in the OpenAPI document, for POST and for PUT', async () => {
    const answer = await fetch(`${partner.service.httpUrl}/expert/openapi.json`)
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { responses: Record<string, object> }>> }
    const responses = [paths['/rest/partner_oauth2']?.post, paths['/rest/partner_oauth2/{id}']?.put].map((one) => one?.responses['300'])
    const [companies, rates] = responses.map((one) => JSON.stringify(one))
    expect(companies).toContain('"required":["status","errorMessage","id","location","companies"]')
    expect(rates).toContain('"required":["status","errorMessage","id","location","lump_tax_rates","default_lump_tax_rate"]')
  })

  it('gets the same bytes again for the same Idempotency-Key', async () => {
    const { http } = newOffice(partner)
    const [body, key] = [{ PartnerOauth2: { auth_code: await codeFor(partner, plain, another) } }, { 'idempotency-key': 'a' }]
    const [first, again] = [await http.post(path, body, key), await http.post(path, body, key)]
    expect([first.status, again.status, again.text]).toEqual([300, 300, first.text])
  })
})

describe('DELETE', () => {
  it('is 200, and afterwards the company can be integrated again', async () => {
    const { http } = newOffice(partner)
    const id = await connected(partner, http)
    const { status, text } = await http.delete(`${path}/${id}`)
    expect([status, text]).toEqual([200, '{"status":"OK"}'])
    expect((await http.get(`${path}/${id}`)).status).toBe(404)
    await connected(partner, http)
  })
})

describe('who may', () => {
  it('read: every employee; write: administrators and experts with the right', async () => {
    const office = newOffice(partner)
    const id = await pending(partner, office.http, plain, another)
    const [trainee, withoutRight] = [partner.asExpert(office.trainee), partner.asExpert(office.employee('expert'))]
    expect((await trainee.get(path)).status).toBe(200)
    for (const http of [trainee, withoutRight]) {
      const answers = [
        await post(http, {}),
        await put(http, id, { company_id: '501' }),
        await http.delete(`${path}/${id}`),
        await http.get(`${path}/authorize`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    }
    expect((await put(partner.asExpert(office.administrator), id, { company_id: '501' })).status).toBe(200)
  })

  it('is 401 without a token', async () => {
    expect((await partner.http('expert').get(path)).status).toBe(401)
  })

  it("answers 404 for another office's integration", async () => {
    const id = await connected(partner, newOffice(partner).http)
    const { http } = newOffice(partner)
    const answers = [await http.get(`${path}/${id}`), await put(http, id, { company_id: '501' }), await http.delete(`${path}/${id}`)]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})
