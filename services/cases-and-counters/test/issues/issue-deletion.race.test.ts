import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const bodies = {
  issue_sentence: (issue_id: number) => ({ IssueSentence: { issue_id, body: 'Good morning' } }),
  issue_payment_offer: (issue_id: number) => ({ IssuePaymentOffer: { issue_id, amount: '1.00' } }),
}

describe.each(['issue_sentence', 'issue_payment_offer'] as const)('POST /rest/%s concurrent with the deletion of its case', (path) => {
  it.each(['an employee', 'the client'] as const)('by %s waits for it, and is refused with issue_id', async (who) => {
    const office = cases.office()
    const person = cases.client(office)
    const expert = cases.asExpert(office.expert)
    const issue = await openIssue(expert, { user_client_id: String(person.userId) })
    const deletion = await holdTransaction(cases.database, 'DELETE FROM issues WHERE id = $1', [issue])
    const written = (who === 'an employee' ? expert : cases.asClient(person)).post(`/${path}`, bodies[path](issue))
    await untilWaiting(cases.database, 1)
    await deletion.commit()
    expect(await written).toMatchObject({ status: 400, body: { errorMessages: { issue_id: 'does not exist' } } })
  })
})
