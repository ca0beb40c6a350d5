import { ScanStatus } from '@caseway/protos/files/v1/events'
import { grpcAddressVariable } from '@caseway/registry'
import { type HttpClient, httpClient, randomId, type TestTenant } from '@caseway/testing'
import { meetAt } from '@caseway/testing/held-transaction'
import { png } from '@caseway/testing/images'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { approveCard, type Cards, cardOf, createCard, newFile, publishCard, setLogo, startCards, versionOf } from './support/cards.js'

let cards: Cards
let everybody: HttpClient
beforeAll(async () => {
  cards = await startCards()
  everybody = httpClient(`${cards.service.httpUrl}/client`)
})
afterAll(() => cards.stop())

const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), Buffer.alloc(100)])
const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([100, 0, 0, 0]), Buffer.from('WEBPVP8 '), Buffer.alloc(100)])
const mebibytes = (count: number) => Buffer.concat([png, Buffer.alloc(count * 1_048_576 - png.length)])

interface Place {
  readonly office: TestTenant
  readonly http: HttpClient
  readonly id: number
}

async function newCard(): Promise<Place> {
  const office = await cards.knownOffice()
  const http = cards.asExpert(office.expert)
  return { office, http, id: await createCard(http) }
}

const put = ({ http, id }: Pick<Place, 'http' | 'id'>, common_file_id: unknown, headers = {}) =>
  http.put<{ errorCode: string }>(`/company_card/${id}/logo`, { CompanyCard: { common_file_id } }, headers)

const publicPath = async ({ http }: Place) => `/company_cards/${(await cardOf(http)).hash}/logo`
const bytesAt = async (path: string) => Buffer.from(await (await fetch(`${cards.service.httpUrl}/client${path}`)).arrayBuffer())

describe('PUT /rest/company_card/{id}/logo', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
    ['image/png', mebibytes(2)],
  ])('stores a copy of a clean image: %s', async (mime, bytes) => {
    const place = await newCard()
    expect((await put(place, newFile(cards, place.office, bytes, { mime, name: 'logo of ours' }))).status).toBe(200)
    expect(await cardOf(place.http)).toMatchObject({ logo_filename: 'logo of ours', status: 0 })
    await publishCard(cards, place.http, place.id)
    const path = await publicPath(place)
    expect((await bytesAt(path)).equals(bytes)).toBe(true)
    expect((await everybody.get(path)).headers.get('content-type')).toBe(mime)
  })

  it.each([
    ['a file that is not an image', { mime: 'application/pdf' }, Buffer.from('%PDF-1.4')],
    ['an image that may carry a script', { mime: 'image/svg+xml' }, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an HTML page with the media type of an image', { mime: 'image/png' }, Buffer.from('<html><script>alert(1)</script></html>')],
    ['more than 2 MiB', { mime: 'image/png' }, Buffer.concat([mebibytes(2), Buffer.from('a')])],
  ])('refuses %s', async (_, fields, bytes) => {
    const place = await newCard()
    const { status, body } = await put(place, newFile(cards, place.office, bytes, fields))
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { common_file_id: expect.stringMatching(/^must be /) } }])
    expect(await cardOf(place.http)).toMatchObject({ logo_filename: null })
  })

  it('refuses a file that is not clean', async () => {
    const place = await newCard()
    for (const scanStatus of [ScanStatus.PENDING, ScanStatus.INFECTED, ScanStatus.FAILED]) {
      const { status, body } = await put(place, newFile(cards, place.office, png, { scanStatus }))
      expect([status, body.errorCode]).toEqual([409, 'FILE_NOT_CLEAN'])
    }
  })

  it('refuses a file of another office as one that does not exist', async () => {
    const place = await newCard()
    const [foreign, unknown] = [await put(place, newFile(cards, await cards.knownOffice(), png)), await put(place, String(randomId()))]
    expect([foreign.status, foreign.text]).toEqual([400, unknown.text])
    expect(foreign.body).toMatchObject({ errorMessages: { common_file_id: 'does not exist' } })
  })

  it('refuses another version than that in If-Match, and a card of another office', async () => {
    const place = await newCard()
    const file = newFile(cards, place.office, png)
    expect((await put(place, file, { 'if-match': '"7"' })).status).toBe(412)
    const stranger = await newCard()
    const [foreign, unknown] = [await put({ ...stranger, id: place.id }, file), await put({ ...stranger, id: 999_999_999 }, file)]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect((await put(place, undefined)).body).toMatchObject({ errorMessages: { common_file_id: 'is required' } })
  })

  it('is for administrators and experts', async () => {
    const { office, id } = await newCard()
    for (const person of [office.specialist, office.trainee])
      expect((await put({ http: cards.asExpert(person), id }, '1')).status).toBe(403)
    expect((await cards.asExpert(office.trainee).delete(`/company_card/${id}/logo`)).status).toBe(403)
  })

  it('is 503 while files does not answer, and changes nothing', async () => {
    const alone = await cards.copy({ [grpcAddressVariable('files')]: 'ipv4:127.0.0.1:1' })
    const place = await newCard()
    const http = httpClient(`${alone.httpUrl}/expert/rest`, place.office.expert.token)
    const version = await versionOf(cards, place.id)
    const { status, headers } = await put({ ...place, http }, newFile(cards, place.office, png))
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(await versionOf(cards, place.id)).toBe(version)
  })
})

describe('DELETE /rest/company_card/{id}/logo', () => {
  it('removes the logo, and is 404 without one', async () => {
    const place = await newCard()
    await setLogo(cards, place.office, place.id)
    const remove = () => place.http.delete(`/company_card/${place.id}/logo`)
    expect((await remove()).body).toEqual({ status: 'OK' })
    expect(await cardOf(place.http)).toMatchObject({ logo_filename: null })
    expect((await remove()).status).toBe(404)
  })

  it('removes the logo once for concurrent requests', async () => {
    const place = await newCard()
    await setLogo(cards, place.office, place.id)
    const lock = { sql: 'SELECT FROM company_cards WHERE id = $1 FOR UPDATE', values: [place.id] }
    const removals = Array.from({ length: 4 }, () => () => place.http.delete(`/company_card/${place.id}/logo`))
    const answers = await meetAt(cards.database, lock, removals)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  })
})

describe('GET /company_cards/{hash}/logo', () => {
  it('shows the published logo as nothing but an image, also after its file was deleted', async () => {
    const place = await newCard()
    await setLogo(cards, place.office, place.id)
    await publishCard(cards, place.http, place.id)
    cards.files.files.length = 0
    const path = await publicPath(place)
    const { status, headers } = await everybody.get(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-type': 'image/png', 'cache-control': 'public, max-age=60', 'x-content-type-options': 'nosniff' },
      ...{ 'content-security-policy': 'sandbox', 'content-length': String(png.length) },
    })
    expect((await everybody.get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  })

  it('does not change until another logo, or its removal, is approved', async () => {
    const place = await newCard()
    await setLogo(cards, place.office, place.id)
    await publishCard(cards, place.http, place.id)
    const path = await publicPath(place)
    await setLogo(cards, place.office, place.id, jpeg)
    expect([(await cardOf(place.http)).status, (await bytesAt(path)).equals(png)]).toEqual([1, true])
    await approveCard(cards, place.id)
    expect((await bytesAt(path)).equals(jpeg)).toBe(true)
    await place.http.delete(`/company_card/${place.id}/logo`)
    expect((await bytesAt(path)).equals(jpeg)).toBe(true)
    await approveCard(cards, place.id)
    expect((await everybody.get(path)).status).toBe(404)
  })

  it('is the same 404 for a card that is not public, one without a logo, and an unknown hash', async () => {
    const [draft, plain] = [await newCard(), await newCard()]
    await setLogo(cards, draft.office, draft.id)
    await publishCard(cards, plain.http, plain.id)
    const unknown = await everybody.get('/company_cards/0123456789abcdef0123456789abcdef/logo')
    for (const place of [draft, plain]) {
      const { status, text } = await everybody.get(await publicPath(place))
      expect([status, text]).toEqual([404, unknown.text])
    }
  })
})
