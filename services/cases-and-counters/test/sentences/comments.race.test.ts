import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

/** A case whose owner is notified of the expert's comments. */
async function withOwner() {
  const { customerId, expert, specialist } = cases.office()
  const http = cases.asExpert(expert)
  const issue = await openIssue(http, { user_id: String(specialist.userId) })
  const say = () => http.post('/comment', { Comment: { issue_id: String(issue), body: 'A remark' } })
  const written = () => cases.database.rows('SELECT FROM comments WHERE customer_id = $1', [customerId])
  const notifications = () =>
    cases.database.rows("SELECT FROM notifications WHERE customer_id = $1 AND type = 'comments_add'", [customerId])
  return { http, issue, say, written, notifications, feed: officeFeed(customerId) }
}

describe('a comment on a case, concurrent with the deletion of the case', () => {
  it('the deletion first: the comment waits for it and is refused, and nobody is notified', async () => {
    const { issue, say, written, notifications } = await withOwner()
    const deletion = await holdTransaction(cases.database, 'DELETE FROM issues WHERE id = $1', [issue])
    const answer = say()
    await untilWaiting(cases.database, 1)
    await deletion.commit()
    expect(await answer).toMatchObject({ status: 400, body: { errorMessages: { issue_id: 'does not exist' } } })
    expect([await written(), await notifications()]).toEqual([[], []])
  })

  it('the comment first: the deletion waits for it and deletes it too', async () => {
    const { http, issue, say, written, notifications, feed } = await withOwner()
    // A notification locks the feed of its office last.
    const held = await holdTransaction(cases.database, 'SELECT FROM feeds WHERE feed = $1 FOR UPDATE', [feed])
    const answer = say()
    await untilWaiting(cases.database, 1)
    const deleted = http.delete(`/issue/${issue}`)
    await untilWaiting(cases.database, 2)
    await held.commit()
    expect([(await answer).status, (await deleted).status]).toEqual([201, 200])
    expect([await written(), await notifications()]).toEqual([[], [{}]])
  })
})
