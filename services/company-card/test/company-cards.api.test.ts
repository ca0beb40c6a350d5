import { customerTopic } from '@caseway/protos/topics'
import { expertUrl, randomId, testTechnical } from '@caseway/testing'
import { customer, user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cards, cardOf, createCard, required, startCards } from './support/cards.js'

let cards: Cards
beforeAll(async () => {
  cards = await startCards()
})
afterAll(() => cards.stop())

const done = { status: 'OK' }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const card = {
  ...required,
  short_description: 'Accountants',
  description: 'Since 1999.\nNear the station.',
  phone: '+48 42 000 00 00',
  email: 'office@nowak.example',
  url: 'https://nowak.example/',
  opening_hours: '{"1": [[540,1020]], "2": [[540, 720], [720, 1020]], "7": false}',
  voivodeship: 5,
  contact_method: '{"1":true, "4":false}',
  scope_of_service: ' {"11": true}',
}

describe('POST /rest/company_card', () => {
  it('creates the card of the office as a draft', async () => {
    const { customerId, expert, trainee } = await cards.knownOffice()
    const created = await cards.asExpert(expert).post<{ id: number }>('/company_card', { CompanyCard: card })
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/company_card/${id}`)
    const shown = {
      ...{ id, customer_id: String(customerId), hash: expect.stringMatching(/^[0-9a-f]{32}$/), ...card, city_slug: 'lodz' },
      ...{ is_verified: 0, logo_filename: null, changes_request_details: '', status: 0, created: time, modified: time },
    }
    for (const path of ['/company_card', `/company_card/${id}`])
      expect((await cards.asExpert(trainee).get(path)).body).toEqual({ CompanyCard: shown })
  })

  it('accepts the required fields only', async () => {
    const http = cards.asExpert((await cards.knownOffice()).administrator)
    await createCard(http)
    expect(await cardOf(http)).toMatchObject({
      ...{ short_description: null, description: null, phone: null, email: null, url: null, voivodeship: null },
      ...{ opening_hours: '{}', contact_method: '{}', scope_of_service: '{}' },
    })
  })

  it('creates one card for fifty concurrent requests, and answers the others with COMPANY_CARD_EXISTS', async () => {
    const http = cards.asExpert((await cards.knownOffice()).expert)
    const answers = await Promise.all(Array.from({ length: 50 }, () => http.post<object>('/company_card', { CompanyCard: card })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of others)
      expect([status, body]).toEqual([409, expect.objectContaining({ errorCode: 'COMPANY_CARD_EXISTS' })])
  })

  it('answers a repeated Idempotency-Key with the same card', async () => {
    const http = cards.asExpert((await cards.knownOffice()).expert)
    const send = () => http.post('/company_card', { CompanyCard: card }, { 'idempotency-key': 'once' })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.text]).toEqual([201, first.text])
  })

  it('names every wrong field', async () => {
    const wrong = {
      ...{ name: ' ', short_description: 'a'.repeat(501), description: 'a'.repeat(10_001), phone: 'a\nb', email: 'nobody', url: 'ftp://a' },
      ...{ opening_hours: '{"8": false}', street: null, zip: '1'.repeat(17), voivodeship: 17, contact_method: '{"5": true}' },
      scope_of_service: '{"1": 1}',
    }
    const { status, body } = await cards.asExpert((await cards.knownOffice()).expert).post('/company_card', { CompanyCard: wrong })
    const texts = Object.fromEntries([...Object.keys(wrong), 'city'].map((name) => [name, expect.any(String)]))
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: texts }])
  })

  it.each([
    ['{"1": [[540, 540]]}', 'of day 1'],
    ['{"2": [[600, 700], [540, 560]]}', 'of day 2'],
    ['{"3": [[540, 700], [600, 800]]}', 'of day 3'],
    ['{"1": [[0, 1441]]}', '/1/0/1'],
    ['{"1": [[-1, 5]]}', '/1/0/0'],
    ['{"1": [[1.5, 5]]}', '/1/0/0'],
    ['{"1": [[1, 2, 3]]}', '/1'],
    ['{"1": true}', '/1 must be array'],
    [`{"1": [${Array.from({ length: 11 }, (_, i) => `[${i * 2}, ${i * 2 + 1}]`)}]}`, '/1 must not have more than 10 items'],
    ['{"1": false, "1": [[1, 2]]}', 'twice'],
    ['{"__proto__": false}', '__proto__'],
    ['{"constructor": {"prototype": {}}}', '/constructor'],
    ['['.repeat(32_000), 'valid JSON'],
    [`{"1": ${'['.repeat(100)}${']'.repeat(100)}}`, 'levels deep'],
    [`{"1": false}${' '.repeat(65_536)}`, 'bytes'],
    ['[]', 'object'],
    ['', 'valid JSON'],
  ])('refuses the opening hours %.40s', async (opening_hours, says) => {
    const http = cards.asExpert((await cards.knownOffice()).expert)
    const { status, body } = await http.post<{ errorMessages: object }>('/company_card', { CompanyCard: { ...card, opening_hours } })
    expect([status, body.errorMessages]).toEqual([400, { opening_hours: expect.stringContaining(says) }])
  })

  it('ignores fields that an office cannot set', async () => {
    const http = cards.asExpert((await cards.knownOffice()).expert)
    const sent = {
      id: 1,
      customer_id: '1',
      hash: 'a',
      status: 2,
      is_verified: 1,
      logo_filename: 'a',
      city_slug: 'a',
      changes_request_details: 'a',
    }
    await createCard(http, sent)
    expect(await cardOf(http)).toMatchObject({
      status: 0,
      is_verified: 0,
      logo_filename: null,
      city_slug: 'lodz',
      changes_request_details: '',
    })
    expect(await cardOf(http)).not.toMatchObject({ hash: 'a' })
  })
})

describe('GET /rest/company_card without a card', () => {
  const profile = {
    street: 'Długa 2',
    zip: '00-002',
    city: 'Kraków',
    voivodeship: 6,
    phone: '+48 1',
    email: 'a@b.example',
    url: 'https://b.example',
  }
  const prefilled = {
    ...{ id: null, hash: null, created: null, modified: null, status: 0, is_verified: 0, logo_filename: null, changes_request_details: '' },
    ...{ short_description: null, description: null, opening_hours: '{}', contact_method: '{}', scope_of_service: '{}' },
  }

  it('shows the profile of the office, without an entity tag', async () => {
    const { customerId, trainee } = await cards.knownOffice({ name: 'Office', ...profile })
    const { status, headers, body } = await cards.asExpert(trainee).get('/company_card')
    const shown = { ...prefilled, customer_id: String(customerId), name: 'Office', ...profile, city_slug: 'krakow' }
    expect([status, headers.get('etag'), body]).toEqual([200, null, { CompanyCard: shown }])
  })

  it('has empty fields where those of the profile are empty', async () => {
    const { trainee } = await cards.knownOffice()
    expect(await cardOf(cards.asExpert(trainee))).toMatchObject({
      ...{ name: 'Nowak', street: '', zip: '', city: '', city_slug: '' },
      ...{ voivodeship: null, phone: null, email: null, url: null },
    })
  })

  it('shows the profile with the highest revision, whatever the order of events', async () => {
    const { customerId: id, trainee } = await cards.knownOffice()
    const states = [2n, 3n, 4n].map((revision) => customer({ id, name: `Office ${revision}`, revision }))
    await cards.publish(customerTopic, ...[1, 2, 0, 0, 1].flatMap((i) => states[i] ?? []))
    expect(await cardOf(cards.asExpert(trainee))).toMatchObject({ name: 'Office 4' })
  })

  it('is 503 until the profile of the office has arrived', async () => {
    const { status, headers } = await cards.asExpert(cards.office().expert).get('/company_card')
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  })
})

describe('PUT /rest/company_card/{id}', () => {
  it('changes the fields that were sent', async () => {
    const http = cards.asExpert((await cards.knownOffice()).expert)
    const id = await createCard(http, card)
    const changes = { city: 'Gdańsk', description: null, contact_method: '{}' }
    expect((await http.put(`/company_card/${id}`, { CompanyCard: changes })).body).toEqual(done)
    expect(await cardOf(http)).toMatchObject({ ...card, ...changes, city_slug: 'gdansk', status: 0 })
  })

  it('refuses to empty a required field, and an old version', async () => {
    const http = cards.asExpert((await cards.knownOffice()).expert)
    const id = await createCard(http)
    const path = `/company_card/${id}`
    expect((await http.put(path, { CompanyCard: { name: '', zip: null, opening_hours: null } })).body).toMatchObject({
      errorMessages: { name: 'is required', zip: 'is required', opening_hours: 'must not be null' },
    })
    const etag = (await http.get('/company_card')).headers.get('etag') ?? ''
    expect((await http.get('/company_card', { 'if-none-match': etag })).status).toBe(304)
    expect((await http.put(path, { CompanyCard: { phone: '1' } }, { 'if-match': etag })).status).toBe(200)
    expect((await http.put(path, { CompanyCard: { phone: '2' } }, { 'if-match': etag })).status).toBe(412)
    expect(await cardOf(http)).toMatchObject({ phone: '1' })
  })

  it('of another office is the same 404 as of a card that does not exist', async () => {
    const id = await createCard(cards.asExpert((await cards.knownOffice()).expert))
    const stranger = cards.asExpert((await cards.knownOffice()).administrator)
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['PUT', '/submit'],
    ] as const) {
      const sent = method === 'PUT' ? { CompanyCard: { name: 'Mine' } } : undefined
      const foreign = await stranger.request(method, `/company_card/${id}${path}`, sent)
      const unknown = await stranger.request(method, `/company_card/${randomId()}${path}`, sent)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect(await cards.database.rows('SELECT name, status FROM company_cards WHERE id = $1', [id])).toEqual([
      { name: required.name, status: 0 },
    ])
  })
})

describe('who may', () => {
  const writes = [
    ['POST', '/company_card'],
    ['PUT', '/company_card/1'],
    ['PUT', '/company_card/1/submit'],
  ] as const

  it.each([...writes, ['GET', '/company_card'], ['GET', '/company_card/1']] as const)(
    '%s %s: nobody without a token, no technical account, no client',
    async (method, path) => {
      const { expert } = cards.office()
      expect((await cards.asExpert(expert).as(undefined).request(method, path)).status).toBe(401)
      expect((await cards.asExpert(testTechnical(cards.issuer)).request(method, path)).status).toBe(403)
      expect((await cards.asClient(cards.client()).request(method, path)).status).toBe(404)
    },
  )

  it.each(writes)('%s %s: administrators and experts who have the right', async (method, path) => {
    const { customerId, specialist, trainee, expert, administrator } = cards.office()
    for (const person of [specialist, trainee]) {
      cards.auth.rights.set(person.userId, ['company_card.manage'])
      expect((await cards.asExpert(person).request(method, path, {})).status).toBe(403)
    }
    cards.auth.users.push(user({ id: administrator.userId, customerId }))
    expect((await cards.asExpert(administrator).request(method, path, {})).status).not.toBe(403)
    cards.auth.rights.set(expert.userId, [])
    expect((await cards.asExpert(expert).request(method, path, {})).status).toBe(403)
  })
})
