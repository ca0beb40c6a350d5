import type { TestTenant } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { another, listOf, newOffice, type Partner, path, plain, startPartner } from './support/integrations.js'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.stop())

/** An integration as an import writes it: without tokens. */
async function imported({ customerId, expert }: TestTenant, companyId: string | null): Promise<string> {
  const [row] = await partner.database.rows<{ id: string }>(
    `INSERT INTO integrations (customer_id, user_id, company_id, name, companies, broken)
     VALUES ($1, $2, $3::text, CASE WHEN $3::text IS NOT NULL THEN 'Nowak' END, $4, true) RETURNING id`,
    [customerId, expert.userId, companyId, JSON.stringify([plain, another])],
  )
  return row?.id ?? ''
}

it.each([
  ['complete', plain.company_id],
  ['pending', null],
])('an imported integration that is %s is deleted', async (_, companyId) => {
  const office = newOffice(partner)
  const id = await imported(office, companyId as string | null)
  const { status, text } = await office.http.delete(`${path}/${id}`)
  expect([status, text]).toEqual([200, '{"status":"OK"}'])
  expect(await listOf(office.http)).toEqual([])
})
