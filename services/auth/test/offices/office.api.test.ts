import { customerTopic } from '@caseway/protos/topics'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Office, startAuthService } from '../support/auth.js'

let auth: Auth
let office: Office
let http: HttpClient
beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office('Europe/Rome')
  http = await auth.asExpert(office.administrator)
})
afterAll(() => auth.stop())

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const read = async (as: HttpClient = http) => (await as.get<{ Customer: Record<string, string | null> }>('/customer/me')).body.Customer
const put = (Customer: object, headers?: Record<string, string>) => http.put('/customer/me', { Customer }, headers)

const profile = {
  ...{ name: 'Kot & Lis', tax_number: 'PL 525-000-00-00', street: 'Prosta 1', zip: '00-001', city: 'Warszawa', voivodeship: '7' },
  ...{ phone: '+48 22 000 00 00', email: 'office@kot.test', url: 'https://kot.test/' },
}

describe('GET /rest/customer/me', () => {
  it.each(['administrator', 'expert', 'specialist', 'trainee'] as const)('shows an %s their office', async (role) => {
    const { [role]: person, customerId } = await auth.office('Asia/Tokyo')
    const nothing = { tax_number: null, street: null, zip: null, city: null, voivodeship: null, phone: null, email: null, url: null }
    const Customer = {
      id: String(customerId),
      name: 'Office',
      ...nothing,
      time_zone: 'Asia/Tokyo',
      language: 'pl',
      second_factor: '0',
      sentences_by_mail: '0',
    }
    expect(await read(await auth.asExpert(person))).toEqual({ ...Customer, created: timestamp, modified: timestamp })
  })

  it('is the only route: offices cannot be listed, created or deleted', async () => {
    for (const path of ['/customer', `/customer/${office.customerId}`]) expect((await http.get(path)).status).toBe(404)
    for (const method of ['POST', 'DELETE']) expect((await http.request(method, '/customer/me', {})).status).toBe(405)
  })
})

describe('PUT /rest/customer/me', () => {
  it('changes what is sent, and clears what is null', async () => {
    const { status, body } = await put({ ...profile, voivodeship: 7, language: 'en' })
    expect([status, body]).toEqual([200, { status: 'OK' }])
    expect(await read()).toMatchObject({ ...profile, language: 'en', time_zone: 'Europe/Rome' })
    expect((await put({ url: null, voivodeship: null })).status).toBe(200)
    expect(await read()).toMatchObject({ ...profile, url: null, voivodeship: null })
  })

  it('ignores read-only fields', async () => {
    const before = await read()
    expect((await put({ id: '1', customer_id: '1', created: '2020-01-01 00:00:00', version: '7' })).status).toBe(200)
    expect(await read()).toEqual({ ...before, modified: timestamp })
  })

  it.each([
    [{ name: ' ' }, 'is required'],
    [{ name: 'a\nb' }, expect.any(String)],
    [{ time_zone: 'Europe/Nowhere' }, 'must be the IANA name of a time zone'],
    [{ time_zone: '' }, 'is required'],
    [{ time_zone: null }, 'is required'],
    [{ language: 'de' }, 'must be one of pl, en'],
    [{ voivodeship: 17 }, expect.any(String)],
    [{ email: 'nobody' }, 'must be a valid e-mail address'],
    [{ url: 'javascript:alert(1)' }, 'must be an address that begins with http:// or https://'],
    [{ zip: 'x'.repeat(17) }, 'must be at most 16 characters'],
  ])('refuses %j', async (Customer, text) => {
    const before = await read()
    const [field] = Object.keys(Customer)
    const { status, body } = await put(Customer)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { [field as string]: text } }])
    expect(await read()).toEqual(before)
  })

  it('is for administrators', async () => {
    for (const role of ['expert', 'specialist', 'trainee'] as const) {
      const as = await auth.asExpert(office[role])
      expect((await as.put('/customer/me', { Customer: { name: 'Mine' } })).status).toBe(403)
    }
  })

  it('refuses an old version, so that only one of two concurrent changes is made', async () => {
    const etag = (await http.get('/customer/me')).headers.get('etag') ?? ''
    expect((await http.get('/customer/me', { 'if-none-match': etag })).status).toBe(304)
    const answers = await Promise.all(['A', 'B'].map((name) => put({ name }, { 'if-match': etag })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it('changes no other office', async () => {
    const other = await auth.office()
    const elsewhere = await auth.asExpert(other.administrator)
    const before = await read(elsewhere)
    await put({ id: String(other.customerId), name: 'Ours', time_zone: 'Europe/Rome' })
    expect(await read(elsewhere)).toEqual(before)
  })

  it('publishes the office with all of its fields', async () => {
    const { customerId, administrator } = await auth.office()
    const as = await auth.asExpert(administrator)
    await as.put('/customer/me', { Customer: { ...profile, time_zone: 'Asia/Tokyo', language: 'en' } })
    await as.put('/customer/me', { Customer: { ...profile, tax_number: null, voivodeship: null, sentences_by_mail: '1' } })
    const published = (await auth.published(customerTopic)).filter(({ event }) => event.id === customerId).map(({ event }) => event)
    const { tax_number: taxNumber, voivodeship, ...same } = profile
    const state = { ...same, id: customerId, timeZone: 'Asia/Tokyo', language: 'en', deleted: false, closed: false }
    expect(published.slice(1)).toEqual([
      { ...state, taxNumber, voivodeship: Number(voivodeship), sentencesByMail: false, revision: 2n },
      { ...state, taxNumber: '', voivodeship: undefined, sentencesByMail: true, revision: 3n },
    ])
  })

  it('is recorded in the audit trail, without the values', async () => {
    const { administrator, customerId } = await auth.office()
    const as = await auth.asExpert(administrator)
    await as.put('/customer/me', { Customer: { time_zone: 'Asia/Tokyo', tax_number: 'a secret' } })
    const { text, body } = await as.get<{ AuditEvent: object }[]>('/audit_event?kind=office.changed')
    expect(body).toEqual([
      { AuditEvent: expect.objectContaining({ subject: `customer:${customerId}`, actor: `employee:${administrator.id}` }) },
    ])
    expect(text).toContain('tax_number time_zone')
    expect(text).not.toContain('a secret')
  })

  it('is recorded in the audit trail with the fields that have changed, and not where none has', async () => {
    const { administrator } = await auth.office()
    const as = await auth.asExpert(administrator)
    for (const city of ['Kraków', 'Kraków']) await as.put('/customer/me', { Customer: { city, second_factor: '0', phone: null } })
    await as.put('/customer/me', { Customer: {} })
    const { body } = await as.get('/audit_event?kind=office.changed')
    expect(body).toEqual([{ AuditEvent: expect.objectContaining({ details: '{"fields": "city"}' }) }])
  })
})
