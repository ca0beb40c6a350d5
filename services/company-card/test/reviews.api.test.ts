import type { CardEvent } from '@caseway/protos/company_card/v1/events'
import { auditTopic, cardTopic } from '@caseway/protos/topics'
import { type HttpClient, randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Move, type Status, statuses } from '../src/company-cards/company-card.js'
import { approveCard, type Cards, cardOf, createCard, publishCard, required, startCards, versionOf } from './support/cards.js'

let cards: Cards
beforeAll(async () => {
  cards = await startCards()
})
afterAll(() => cards.stop())

const { draft, waiting, published, changesRequested } = statuses

interface Place {
  readonly http: HttpClient
  readonly id: number
}

/** Creates a card in a new office. */
async function newCard(): Promise<Place> {
  const http = cards.asExpert((await cards.knownOffice()).expert)
  return { http, id: await createCard(http) }
}

const requestChanges = async ({ id }: Place, details = 'The name is wrong.') =>
  cards.service.administration.reviews.requestChanges(BigInt(id), await versionOf(cards, id), details)
const submit = ({ http, id }: Place) => http.put<{ errorMessages: string }>(`/company_card/${id}/submit`, undefined)
const change = ({ http, id }: Place, fields: object = { phone: '1' }) => http.put(`/company_card/${id}`, { CompanyCard: fields })

/** Creates a card and moves it to `status`. */
async function cardIn(status: Status): Promise<Place> {
  const place = await newCard()
  if (status === draft) return place
  await submit(place)
  if (status === published) await approveCard(cards, place.id)
  if (status === changesRequested) await requestChanges(place)
  return place
}

const publishedOf = async ({ id }: Place) =>
  (
    await cards.database.rows<{ name: string; revision: number }>('SELECT name, revision FROM published_company_cards WHERE id = $1', [id])
  )[0]

const eventsOf = async ({ id }: Place): Promise<CardEvent[]> =>
  (await cards.published(cardTopic)).map(({ event }) => event).filter((event) => event.id === BigInt(id))

/** The status after each move from each status, or `refused`. */
const table: Record<Move, Record<Status, Status | 'refused'>> = {
  change: { [draft]: draft, [waiting]: waiting, [published]: waiting, [changesRequested]: changesRequested },
  submit: { [draft]: waiting, [waiting]: 'refused', [published]: 'refused', [changesRequested]: waiting },
  approve: { [draft]: 'refused', [waiting]: published, [published]: 'refused', [changesRequested]: 'refused' },
  requestChanges: { [draft]: 'refused', [waiting]: changesRequested, [published]: 'refused', [changesRequested]: 'refused' },
}

/** Each tries a move, and resolves to whether it was accepted. */
const attempts: Record<Move, (place: Place) => Promise<boolean>> = {
  change: async (place) => done(await change(place)),
  submit: async (place) => done(await submit(place)),
  approve: (place) => unlessRefused(approveCard(cards, place.id)),
  requestChanges: (place) => unlessRefused(requestChanges(place)),
}

function done({ status, body }: { status: number; body: unknown }): boolean {
  if (status !== 200) expect([status, body]).toEqual([409, refusal])
  return status === 200
}

const unlessRefused = (move: Promise<void>): Promise<boolean> =>
  move.then(
    () => true,
    (error) => {
      expect(error).toMatchObject({ code: 'COMPANY_CARD_STATE', message: expect.stringContaining('The card is ') })
      return false
    },
  )

const refusal = { status: 'error', errorCode: 'COMPANY_CARD_STATE', errorMessages: expect.stringContaining('The card is ') }

describe.each(Object.keys(table) as Move[])('%s', (move) => {
  it.each([draft, waiting, published, changesRequested])('of a card of the status %i has the declared result', async (from) => {
    const place = await cardIn(from)
    const to = table[move][from]
    expect(await attempts[move](place)).toBe(to !== 'refused')
    expect(await cardOf(place.http)).toMatchObject({ status: to === 'refused' ? from : to })
  })
})

it('an update without a change changes neither the status nor the version of a published card', async () => {
  const place = await cardIn(published)
  const [card, version] = [await cardOf(place.http), await versionOf(cards, place.id)]
  expect((await change(place, card)).status).toBe(200)
  expect([await cardOf(place.http), await versionOf(cards, place.id)]).toEqual([card, version])
})

describe('an approval', () => {
  it('publishes the card, with its event and an entry of the audit trail', async () => {
    const place = await newCard()
    await change(place, { opening_hours: '{"1": [[540, 1020]]}', voivodeship: 5 })
    await submit(place)
    await approveCard(cards, place.id)
    const card = await cardOf(place.http)
    expect(card).toMatchObject({ status: published, is_verified: 1 })
    const [event, ...others] = await eventsOf(place)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      ...{
        id: BigInt(place.id),
        customerId: BigInt(card.customer_id ?? 0),
        hash: card.hash,
        ...required,
        citySlug: 'lodz',
        voivodeship: 5,
      },
      ...{ description: '', logoFilename: '', openingHours: '{"1": [[540, 1020]]}', revision: BigInt(await versionOf(cards, place.id)) },
    })
    const trail = (await cards.published(auditTopic)).map(({ event }) => event)
    expect(trail).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'company_card.reviewed', subject: `company_card:${place.id}`, actor: 'command line' },
        ...{ customerId: BigInt(card.customer_id ?? 0), details: { state: 'approve' } },
      }),
    )
  })

  it('of a change replaces the published version, which stays public until then', async () => {
    const place = await newCard()
    await publishCard(cards, place.http, place.id)
    const first = await publishedOf(place)
    await change(place, { name: 'Second' })
    expect(await cardOf(place.http)).toMatchObject({ name: 'Second', status: waiting, is_verified: 1 })
    expect(await publishedOf(place)).toEqual(first)
    await requestChanges(place)
    await change(place, { name: 'Third' })
    await submit(place)
    expect(await publishedOf(place)).toEqual(first)
    await approveCard(cards, place.id)
    expect(await publishedOf(place)).toMatchObject({ name: 'Third' })
    expect((await eventsOf(place)).map(({ name }) => name)).toEqual([required.name, 'Third'])
    const [before, after] = (await eventsOf(place)).map(({ revision }) => revision)
    expect(after).toBeGreaterThan(before ?? 0n)
  })

  it('is valid only for the reviewed version', async () => {
    const place = await cardIn(waiting)
    const seen = await versionOf(cards, place.id)
    await change(place, { name: 'Another' })
    await expect(cards.service.administration.reviews.approve(BigInt(place.id), seen)).rejects.toMatchObject({ kind: 'stale' })
    expect(await publishedOf(place)).toBeUndefined()
  })

  it('of a card that does not exist is refused', async () => {
    const { approve, requestChanges } = cards.service.administration.reviews
    await expect(approve(randomId(), 1)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(requestChanges(randomId(), 1, 'a')).rejects.toMatchObject({ kind: 'not-found' })
  })
})

describe('requested changes', () => {
  it('are shown to the office until it submits the card again', async () => {
    const place = await cardIn(waiting)
    await requestChanges(place, 'The street is missing.')
    expect(await cardOf(place.http)).toMatchObject({ changes_request_details: 'The street is missing.', is_verified: 0 })
    await change(place)
    expect(await cardOf(place.http)).toMatchObject({ changes_request_details: 'The street is missing.' })
    await submit(place)
    expect(await cardOf(place.http)).toMatchObject({ changes_request_details: '' })
    expect(await eventsOf(place)).toEqual([])
  })
})

describe('concurrent moves', () => {
  const lock = 'SELECT FROM company_cards WHERE id = $1 FOR UPDATE'

  /** Makes two concurrent moves wait for the lock of the card, in this order, and resolves to their results. */
  async function concurrently(place: Place, first: () => Promise<unknown>, second: () => Promise<unknown>) {
    const held = await holdTransaction(cards.database, lock, [place.id])
    const one = first()
    await untilWaiting(cards.database, 1)
    const other = second()
    await untilWaiting(cards.database, 2)
    const settled = Promise.allSettled([one, other])
    await held.commit()
    return settled
  }

  it('an approval of a version that was changed meanwhile is stale', async () => {
    const place = await cardIn(waiting)
    const seen = await versionOf(cards, place.id)
    const [, approval] = await concurrently(
      place,
      () => change(place, { name: 'Changed' }),
      () => cards.service.administration.reviews.approve(BigInt(place.id), seen),
    )
    expect(approval).toMatchObject({ status: 'rejected', reason: { kind: 'stale' } })
    expect([(await cardOf(place.http)).status, await publishedOf(place)]).toEqual([waiting, undefined])
  })

  it('a change after an approval waits for the next approval', async () => {
    const place = await cardIn(waiting)
    const seen = await versionOf(cards, place.id)
    await concurrently(
      place,
      () => cards.service.administration.reviews.approve(BigInt(place.id), seen),
      () => change(place, { name: 'Changed' }),
    )
    expect([(await cardOf(place.http)).status, await publishedOf(place)]).toEqual([
      waiting,
      expect.objectContaining({ name: required.name }),
    ])
  })

  it('one of two submits is accepted', async () => {
    const place = await newCard()
    const answers = await concurrently(
      place,
      () => submit(place),
      () => submit(place),
    )
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? (answer.value as { status: number }).status : 0))).toEqual([200, 409])
  })

  it('of an approval and a request for changes only the first is accepted', async () => {
    const place = await cardIn(waiting)
    const seen = await versionOf(cards, place.id)
    const { approve, requestChanges } = cards.service.administration.reviews
    const [one, other] = await concurrently(
      place,
      () => approve(BigInt(place.id), seen),
      () => requestChanges(BigInt(place.id), seen, 'No.'),
    )
    expect([one, other]).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'COMPANY_CARD_STATE' } }])
  })
})

describe('the cards that wait', () => {
  it('are listed for all offices, the longest waiting first, and a metric has the age of the oldest', async () => {
    const places = [await cardIn(waiting), await cardIn(waiting), await cardIn(published)]
    const ids = places.map(({ id }) => BigInt(id))
    const listed = (await cards.service.administration.reviews.waiting()).map(({ id }) => id)
    expect(listed.filter((id) => ids.includes(id))).toEqual(ids.slice(0, 2))
    await cards.database.rows("UPDATE company_cards SET phone = '1' WHERE id = $1", [places[0]?.id])
    expect(await cards.figure('company_cards_oldest_waiting_seconds')).toBeGreaterThan(0)
  })
})
