import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { flat, listOf, newOffice, type Partner, path, pending, put, startPartner } from './support/integrations.js'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.stop())

const complete = { company_id: '504', name: 'Flat', lump_tax_rate: '3' }

/** Creates an office with an integration as an import writes it: broken, and without tokens. */
async function imported(choice?: object) {
  const office = newOffice(partner)
  const id = await pending(partner, office.http, flat)
  if (choice) expect((await put(office.http, id, choice)).status).toBe(200)
  await partner.database.rows('DELETE FROM platform_tokens WHERE customer_id = $1', [office.customerId])
  await partner.database.rows('UPDATE integrations SET broken = true WHERE customer_id = $1', [office.customerId])
  return { ...office, id }
}

it.each([
  ['complete', complete],
  ['pending', undefined],
])('an imported integration that is %s can be deleted', async (_, choice) => {
  const { http, id } = await imported(choice)
  const { status, text } = await http.delete(`${path}/${id}`)
  expect([status, text]).toEqual([200, '{"status":"OK"}'])
  expect(await listOf(http)).toEqual([])
})

it('a broken integration that is complete refuses another rate, and accepts the stored one', async () => {
  const { http, id } = await imported(complete)
  const { status, body } = await put(http, id, { lump_tax_rate: '8.5' })
  expect([status, body.errorCode]).toEqual([409, 'INTEGRATION_BROKEN'])
  expect((await put(http, id, { name: 'Other' })).body.errorCode).toBe('INTEGRATION_FINAL')
  expect((await put(http, id, complete)).status).toBe(200)
  expect(await listOf(http)).toEqual([{ id: String(id), ...complete }])
})
