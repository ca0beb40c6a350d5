import { randomUUID } from 'node:crypto'
import { holdTransaction, meetAt, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { another, codeFor, listOf, newOffice, type Partner, path, pending, plain, post, put, startPartner } from './support/integrations.js'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterAll(() => partner.stop())

const many = <T>(work: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 50 }, (_, index) => work(index)))

/** The number of token requests that the platform gets during `work`. */
async function exchangesDuring(work: () => Promise<unknown>): Promise<number> {
  const { token: before } = await partner.platform.requests()
  await work()
  return (await partner.platform.requests()).token - before
}

describe('a code', () => {
  it('that 50 requests post at once is exchanged once, and all of them get the same answer', async () => {
    const { http, expert, administrator } = newOffice(partner)
    const code = await codeFor(partner, plain, another)
    await partner.platform.misbehave('token', { delayMs: 300 })
    const copy = await partner.copy()
    const elsewhere = partner.http('expert', administrator.token)
    const answers: { status: number; text: string }[] = []
    const exchanges = await exchangesDuring(async () => {
      answers.push(...(await many((index) => post(index % 2 ? http : elsewhere, { auth_code: code }))))
    })
    await partner.platform.behave()
    await copy.stop()
    expect(exchanges).toBe(1)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.every(({ status }) => status === 300)).toBe(true)
    expect(await listOf(partner.asExpert(expert))).toHaveLength(1)
  })

  it.each([
    ['that is complete', [plain], 200],
    ['whose company was chosen afterwards', [plain, another], 300],
    ['without a company', [], 400],
  ])('of an account %s leads to the same answer again, without another exchange', async (_, companies, status) => {
    const { http } = newOffice(partner)
    const code = await codeFor(partner, ...companies)
    const first = await post(http, { auth_code: code })
    if (first.body.id !== undefined) await put(http, first.body.id, { company_id: '501' })
    const exchanges = await exchangesDuring(async () => {
      const { status, text } = await post(http, { auth_code: code })
      expect([status, text]).toEqual([first.status, first.text])
    })
    expect([first.status, exchanges]).toEqual([status, 0])
  })

  it('is 400 for another office, without a request to the platform', async () => {
    const code = await codeFor(partner, plain)
    await post(newOffice(partner).http, { auth_code: code })
    const { http } = newOffice(partner)
    const exchanges = await exchangesDuring(async () => {
      const { status, body } = await post(http, { auth_code: code })
      expect([status, body.errorMessages]).toEqual([400, { auth_code: 'was refused by the accounting platform' }])
    })
    expect(exchanges).toBe(0)
    expect(await listOf(http)).toEqual([])
  })

  it('whose integration was deleted is 400', async () => {
    const { http } = newOffice(partner)
    const code = await codeFor(partner, plain)
    const { body } = await post(http, { auth_code: code })
    await http.delete(`${path}/${body.PartnerOauth2?.id}`)
    const again = await post(http, { auth_code: code })
    expect([again.status, again.body.errorMessages]).toEqual([
      400,
      { auth_code: 'was used before, for an integration that has been deleted' },
    ])
  })

  it('can be exchanged again when the lease of a process that died has ended', async () => {
    const { http, customerId } = newOffice(partner)
    const code = await codeFor(partner, plain)
    const claimed = (until: string) =>
      partner.database.rows(
        `INSERT INTO auth_codes (hash, customer_id, claim, claimed_until) VALUES (sha256($1::text::bytea), $2, $3, now() + $4::interval)
         ON CONFLICT (hash) DO UPDATE SET claimed_until = excluded.claimed_until`,
        [code, customerId, randomUUID(), until],
      )
    await claimed('1 minute')
    const exchanges = await exchangesDuring(async () => expect((await post(http, { auth_code: code })).status).toBe(503))
    expect(exchanges).toBe(0)
    await claimed('-1 second')
    expect((await post(http, { auth_code: code })).status).toBe(200)
  })
})

describe('the choice of the company', () => {
  it('of 50 callers at once has one winner', async () => {
    const { http } = newOffice(partner)
    const id = await pending(partner, http, plain, another)
    const choices = Array.from({ length: 50 }, (_, index) => ({ company_id: index % 2 ? '501' : '502', name: `Name ${index}` }))
    const lock = { sql: 'SELECT FROM integrations WHERE id = $1 FOR UPDATE', values: [id] }
    const answers = await meetAt(
      partner.database,
      lock,
      choices.map((choice) => () => put(http, id, choice)),
    )
    const won = choices.filter((_, index) => answers[index]?.status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.errorCode === 'INTEGRATION_FINAL')).toHaveLength(49)
    expect(await listOf(http)).toMatchObject(won)
  })

  it('of one company by two integrations has one winner', async () => {
    const { http } = newOffice(partner)
    const ids = [await pending(partner, http, plain, another), await pending(partner, http, plain, another)]
    const held = await holdTransaction(partner.database, 'SELECT FROM integrations WHERE id = ANY ($1) FOR UPDATE', [ids])
    const sent = ids.map((id) => put(http, id, { company_id: '501' }))
    await untilWaiting(partner.database, 2)
    await held.commit()
    expect((await Promise.all(sent)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
