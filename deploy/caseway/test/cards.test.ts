import { randomUUID } from 'node:crypto'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())

const waiting = 1

/** Creates a card that waits for approval. */
async function newCard(name: string): Promise<string> {
  const [row] = await place.cards.rows<{ id: string }>(
    `INSERT INTO company_cards (customer_id, hash, name, street, zip, city, city_slug, status) VALUES ($1, $2, $3, 'a', 'b', 'Łódź', 'lodz', $4) RETURNING id`,
    [randomId(), randomUUID(), name, waiting],
  )
  return row?.id ?? ''
}

const card = (...argv: string[]) => place.caseway('card', ...argv)
const of = (id: string, version = '1') => ['--card', id, '--version', version]
const statusOf = async (id: string) =>
  (await place.cards.rows('SELECT status, is_verified, changes_request_details FROM company_cards WHERE id = $1', [id]))[0]

describe('card list', () => {
  it('shows the cards that wait, with their content', async () => {
    expect((await card('list')).out).toBe('No card waits for approval.')
    const id = await newCard('Nowak')
    expect((await card('list')).out).toMatch(/^CARD +VERSION +OFFICE +SINCE +NAME +CITY\n.+Nowak {2}Łódź\n\n1 card\.$/)
    const { cards } = documentOf(await card('list', '--json'))
    expect(cards).toEqual([expect.objectContaining({ id, version: 1, name: 'Nowak', street: 'a', description: null, opening_hours: '{}' })])
  })
})

describe('card approve', () => {
  it('publishes a card in the version that was shown', async () => {
    const id = await newCard('Kowalski')
    expect(await card('approve', ...of(id, '2'))).toEqual({ code: 1, out: '', err: 'The record has changed since it was read.' })
    expect((await card('approve', ...of(id))).out).toBe(`Card ${id} is published.`)
    expect(await statusOf(id)).toEqual({ status: 2, is_verified: true, changes_request_details: '' })
    expect(await place.cards.rows('SELECT name FROM published_company_cards WHERE id = $1', [id])).toEqual([{ name: 'Kowalski' }])
  })

  it('refuses a card that does not wait', async () => {
    const id = await newCard('Wójcik')
    await card('approve', ...of(id))
    expect(await card('approve', ...of(id, '2'))).toEqual({ code: 1, out: '', err: 'The card is published, which does not allow this.' })
    const nobodys = String(randomId())
    expect(await card('approve', ...of(nobodys))).toMatchObject({ code: 1, err: `There is no card ${nobodys}.` })
    expect(await card('approve', '--card', id)).toMatchObject({ code: 2 })
  })
})

describe('card request-changes', () => {
  it('returns a card with the requested changes', async () => {
    const id = await newCard('Lewandowski')
    expect(documentOf(await card('request-changes', ...of(id), '--details', 'The phone is missing.', '--json'))).toEqual({ id, status: 3 })
    expect(await statusOf(id)).toEqual({ status: 3, is_verified: false, changes_request_details: 'The phone is missing.' })
    expect(await card('request-changes', ...of(id))).toMatchObject({ code: 2 })
  })
})
