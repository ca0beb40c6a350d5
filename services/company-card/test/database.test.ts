import { randomId, type TestTenant } from '@caseway/testing'
import { itKeepsPeople } from '@caseway/testing/people'
import { itIsolatesTenants } from '@caseway/testing/tenant-isolation'
import { afterAll, beforeAll } from '@jest/globals'
import { tables } from '../src/tables.js'
import { type Cards, createCard, publishCard, setLogo, startCards } from './support/cards.js'

let cards: Cards
let here: TestTenant
beforeAll(async () => {
  cards = await startCards()
  here = await cards.knownOffice()
  // Creates a row in each table through the API.
  const http = cards.asExpert(here.expert)
  const id = await createCard(http)
  await setLogo(cards, here, id)
  await publishCard(cards, http, id)
})
afterAll(() => cards.stop())

itIsolatesTenants(tables, () => ({ database: cards.database, customerId: here.customerId, clientId: randomId() }))
itKeepsPeople(['customers'], () => cards)
