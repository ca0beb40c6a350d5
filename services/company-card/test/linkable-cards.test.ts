import { randomId } from '@caseway/testing'
import { client, employee, type ObjectsClient, objectsClient, status } from '@caseway/testing/objects-client'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cards, createCard, startCards } from './support/cards.js'

let cards: Cards
let objects: ObjectsClient
beforeAll(async () => {
  cards = await startCards()
  objects = objectsClient(cards.service.grpcAddress)
})
afterAll(async () => {
  objects.close()
  await cards.stop()
})

it('a file may be attached to a card by everybody who may change the card', async () => {
  const office = await cards.knownOffice()
  const { customerId, administrator, expert, specialist, trainee } = office
  cards.auth.rights.set(trainee.userId, ['company_card.manage'])
  cards.auth.rights.set(specialist.userId, [])
  const id = await createCard(cards.asExpert(expert))
  const ask = (person: object) => objects.mayLink(customerId, person, 'CompanyCard', id)
  expect(await ask(employee(administrator, 'administrator'))).toBe(status.OK)
  expect(await ask(employee(expert, 'expert'))).toBe(status.OK)
  expect(await ask(employee(trainee, 'trainee'))).toBe(status.PERMISSION_DENIED)
  expect(await ask(employee(specialist, 'expert'))).toBe(status.PERMISSION_DENIED)
  expect(await ask(client(cards.client(office)))).toBe(status.NOT_FOUND)
  expect(await objects.stateOf(customerId, 'CompanyCard', id)).toEqual({ id: String(id), revision: '1' })
})

it("no file may be attached to another office's card, nor to a card that does not exist", async () => {
  const [here, there] = [await cards.knownOffice(), await cards.knownOffice()]
  const id = await createCard(cards.asExpert(there.expert))
  const ask = (card: number | bigint) => objects.mayLink(here.customerId, employee(here.expert, 'expert'), 'CompanyCard', card)
  expect([await ask(id), await ask(randomId())]).toEqual([status.NOT_FOUND, status.NOT_FOUND])
})
