import { type HttpAnswer, type HttpClient, httpClient, versionOf } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Cards, cardOf, createCard, publishCard, required, startCards } from './support/cards.js'

let cards: Cards
let everybody: HttpClient
beforeAll(async () => {
  cards = await startCards()
  everybody = httpClient(`${cards.service.httpUrl}/client`)
})
afterAll(() => cards.stop())

interface Public {
  readonly http: HttpClient
  readonly id: number
  readonly path: string
}

async function newCard(fields: object = {}): Promise<Public> {
  const http = cards.asExpert((await cards.knownOffice()).expert)
  const id = await createCard(http, fields)
  return { http, id, path: `/company_cards/${(await cardOf(http)).hash}` }
}

async function publicCard(fields?: object): Promise<Public> {
  const card = await newCard(fields)
  await publishCard(cards, card.http, card.id)
  return card
}

/** Encodes any text as a segment of a path; lone surrogates become U+FFFD. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
const jsonLd = { accept: 'application/ld+json' }
const nobodys = '/company_cards/0123456789abcdef0123456789abcdef'
const answered = ({ status, text, headers }: HttpAnswer<unknown>) => [status, text, headers.get('cache-control')]

describe('GET /company_cards/{hash}', () => {
  it('shows the public fields without a token', async () => {
    const { http, path } = await publicCard({ opening_hours: '{"1": [[540, 1020]]}', voivodeship: 5 })
    const { customer_id, id, created, modified, is_verified, status, changes_request_details, ...shown } = await cardOf(http)
    const answer = await everybody.get(path)
    expect([answer.status, answer.body]).toEqual([200, { CompanyCard: shown }])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'cache-control': 'public, max-age=60', vary: 'Accept', 'x-content-type-options': 'nosniff' },
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it('is a LocalBusiness of schema.org where JSON-LD is accepted', async () => {
    const { path } = await publicCard({ opening_hours: '{"7": false}' })
    const { status, headers, body } = await everybody.get(path, jsonLd)
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, 'application/ld+json; charset=utf-8', 'Accept'])
    expect(body).toMatchObject({
      '@type': 'LocalBusiness',
      name: required.name,
      openingHoursSpecification: [{ dayOfWeek: 'https://schema.org/Sunday' }],
    })
  })

  it.each(['*/*', 'text/html', 'application/ld+json;q=0.5, application/json', 'nonsense'])(
    'is JSON where %s is accepted',
    async (accept) => {
      const { path } = await publicCard()
      const { status, headers } = await everybody.get(path, { accept })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    },
  )

  it('has an entity tag for each representation, and is 304 where If-None-Match contains it', async () => {
    const { path } = await publicCard()
    const tagOf = async (headers = {}) => (await everybody.get(path, headers)).headers.get('etag') ?? ''
    const [plain, linked] = [await tagOf(), await tagOf(jsonLd)]
    expect(plain).not.toBe(linked)
    const known = await everybody.get(path, { 'if-none-match': plain })
    expect(answered(known)).toEqual([304, '', 'public, max-age=60'])
    expect(known.headers.get('vary')).toBe('Accept')
    expect((await everybody.get(path, { ...jsonLd, 'if-none-match': plain })).status).toBe(200)
    expect((await everybody.get(path, { ...jsonLd, 'if-none-match': linked })).status).toBe(304)
  })

  it('shows the published version while a change waits, and another tag after its approval', async () => {
    const { http, id, path } = await publicCard()
    const before = await everybody.get(path)
    await http.put(`/company_card/${id}`, { CompanyCard: { name: 'Changed' } })
    expect((await everybody.get(path)).text).toBe(before.text)
    await cards.service.administration.reviews.approve(BigInt(id), versionOf(await http.get('/company_card')) as number)
    const after = await everybody.get(path, { 'if-none-match': before.headers.get('etag') ?? '' })
    expect([after.status, after.body]).toMatchObject([200, { CompanyCard: { name: 'Changed' } }])
  })

  it('is the same 404 for a draft, a waiting card, one with requested changes, an unknown hash, and an invalid one', async () => {
    const [draft, waiting, returned] = [await newCard(), await newCard(), await newCard()]
    for (const { http, id } of [waiting, returned]) await http.put(`/company_card/${id}/submit`, undefined)
    await cards.service.administration.reviews.requestChanges(BigInt(returned.id), 2, 'No.')
    const unknown = answered(await everybody.get(nobodys))
    expect(unknown[0]).toBe(404)
    for (const { path } of [draft, waiting, returned]) expect(answered(await everybody.get(path))).toEqual(unknown)
    for (const hash of ['1', '%00', 'A'.repeat(32), `${'a'.repeat(32)}%0a`, '..%2f', "'"])
      expect(answered(await everybody.get(`/company_cards/${hash}`))).toEqual(unknown)
  })

  it('answers arbitrary input', async () => {
    const { path } = await publicCard()
    const segment = fc.oneof(fc.constant(path.split('/')[2] ?? ''), fc.string({ unit: 'binary', minLength: 1 }).map(encoded), fc.webPath())
    const header = fc.oneof(
      fc.constantFrom('*', '"a"', 'W/"a", b', 'application/ld+json;q=2, ,', 'a/b;c="'),
      fc.stringMatching(/^[!-~][ -~]{0,50}$/),
    )
    await fc.assert(
      fc.asyncProperty(segment, fc.constantFrom('', '/logo', '/'), header, header, async (hash, below, accept, known) => {
        const answer = await everybody.get(`/company_cards/${hash}${below}`, { accept, 'if-none-match': known })
        expect([200, 304, 400, 404]).toContain(answer.status)
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
    )
  })

  it('ignores tokens', async () => {
    const { http, path } = await publicCard()
    const { text } = await everybody.get(path)
    for (const token of ['nonsense', cards.client().token]) expect((await everybody.as(token).get(path)).text).toBe(text)
    expect((await http.get(path)).status).toBe(404)
  })

  it('is in the document of the client address', async () => {
    const { body } = await everybody.get<{ paths: Record<string, { get?: object }> }>('/openapi.json')
    expect(body.paths['/company_cards/{hash}']?.get).toMatchObject({ operationId: 'getPublishedCompanyCard', security: [] })
  })
})
