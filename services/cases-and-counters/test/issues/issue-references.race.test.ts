import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

/** The references of a case, with their tables. */
const named = [
  ['issue_subject_id', '/issue_subject', { IssueSubject: { name: 'Taxes' } }, 'issue_subjects'],
  ['issue_initiator_id', '/issue_initiator', { IssueInitiator: { first_name: 'Jan', last_name: 'Kowalski' } }, 'issue_initiators'],
  ['provider_id', '/provider', { Provider: { name: 'Supplier' } }, 'providers'],
] as const

describe.each(named)('a case with %s, concurrent with the deletion of that record', (field, path, body, table) => {
  async function officeWithNamed() {
    const { customerId, expert } = cases.office()
    const http = cases.asExpert(expert)
    const { id } = (await http.post<{ id: number }>(path, body)).body
    const issue = await openIssue(http)
    const writes = {
      POST: () => http.post('/issue', { Issue: { subject: 'A', [field]: id } }),
      PUT: () => http.put(`/issue/${issue}`, { Issue: { [field]: id } }),
    }
    const using = () => cases.database.rows(`SELECT FROM issues WHERE ${field} = $1`, [id])
    return { http, id, writes, using, feed: officeFeed(customerId) }
  }

  it.each(['POST', 'PUT'] as const)('the deletion first: %s waits for it and is refused', async (method) => {
    const { id, writes, using } = await officeWithNamed()
    const deletion = await holdTransaction(cases.database, `DELETE FROM ${table} WHERE id = $1`, [id])
    const written = writes[method]()
    await untilWaiting(cases.database, 1)
    await deletion.commit()
    expect(await written).toMatchObject({ status: 400, body: { errorMessages: { [field]: 'does not exist' } } })
    expect(await using()).toHaveLength(0)
  })

  it.each(['POST', 'PUT'] as const)('%s first: the deletion waits for it and is refused', async (method) => {
    const { http, id, writes, using, feed } = await officeWithNamed()
    // A change of a case locks the feed of its office last.
    const held = await holdTransaction(cases.database, 'SELECT FROM feeds WHERE feed = $1 FOR UPDATE', [feed])
    const written = writes[method]()
    await untilWaiting(cases.database, 1)
    const deleted = http.delete(`${path}/${id}`)
    await untilWaiting(cases.database, 2)
    await held.commit()
    expect((await written).status).toBe(method === 'POST' ? 201 : 200)
    expect((await deleted).status).toBe(409)
    expect(await using()).toHaveLength(1)
  })
})

describe('a person of a provider, concurrent with the deletion of a referenced record', () => {
  async function officeWithNamed(field: 'provider_id' | 'issue_initiator_id') {
    const { customerId, expert } = cases.office()
    const http = cases.asExpert(expert)
    const made = async (path: string, body: object) => (await http.post<{ id: number }>(path, body)).body.id
    const provider = await made('/provider', { Provider: { name: 'Supplier' } })
    const initiator = await made('/issue_initiator', { IssueInitiator: { first_name: 'Jan', last_name: 'Kowalski' } })
    const names = { provider_id: provider, ...(field === 'issue_initiator_id' && { issue_initiator_id: initiator }) }
    const person = { first_name: 'Anna', last_name: 'Nowak', email: 'anna@supplier.example', ...names }
    const remove = () => http.delete(field === 'provider_id' ? `/provider/${provider}` : `/issue_initiator/${initiator}`)
    return { customerId, http, person, named: names[field], remove }
  }

  it.each([
    ['provider_id', 'providers'],
    ['issue_initiator_id', 'issue_initiators'],
  ] as const)('the deletion first: the person waits for it and is refused (%s)', async (field, table) => {
    const { http, person, named } = await officeWithNamed(field)
    const deletion = await holdTransaction(cases.database, `DELETE FROM ${table} WHERE id = $1`, [named])
    const written = http.post('/provider_person', { ProviderPerson: person })
    await untilWaiting(cases.database, 1)
    await deletion.commit()
    expect(await written).toMatchObject({ status: 400, body: { errorMessages: { [field]: 'does not exist' } } })
  })

  it.each(['provider_id', 'issue_initiator_id'] as const)(
    'the person first: the deletion waits for it and is refused (%s)',
    async (field) => {
      const { customerId, http, person, remove } = await officeWithNamed(field)
      // A request with the same address waits for the first one, even at another provider.
      const another = (await http.post<{ id: number }>('/provider', { Provider: { name: 'Another' } })).body.id
      const held = await holdTransaction(
        cases.database,
        "INSERT INTO provider_persons (customer_id, provider_id, first_name, last_name, email) SELECT $1, $2, 'A', 'B', $3",
        [customerId, another, person.email],
      )
      const written = http.post('/provider_person', { ProviderPerson: person })
      await untilWaiting(cases.database, 1)
      const removed = remove()
      await untilWaiting(cases.database, 2)
      await held.rollback()
      expect((await written).status).toBe(201)
      expect((await removed).status).toBe(409)
    },
  )
})
