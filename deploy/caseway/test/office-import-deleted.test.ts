import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { complete, exported, ndjson } from './support/exported-folder.js'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

const times = { created: '2026-01-01T00:00:00Z', modified: '2026-01-01T00:00:00Z', version: 1 }

/** Columns of rows that belong to the office and to a user who still exists. */
const notification = { customer_id: 1, user_id: 1, type: 'comments_add', object_version: 1, status: 'new', ...times }
const reported = { customer_id: 1, day: '2026-01-01' }
const day = { ...reported, sentences: 2, approved: 0, rejected: 0, corrected: 0 }

let here: Installation
let customerId = ''
beforeAll(async () => {
  here = await installation()
  // The newest and the oldest comments and cases were deleted, so that their ids are outside of the range of the remaining ones.
  const folder = exported({
    ...complete,
    'cases-and-counters/comments.ndjson': ndjson({ id: 50, customer_id: 1, user_id: 1, issue_id: 50, body: 'Left', ...times }),
    'cases-and-counters/notifications.ndjson': ndjson(
      ...[48, 49, 50, 51, 52].map((object_id, nth) => ({ id: nth + 1, issue_id: object_id, object_id, ...notification })),
    ),
    'cases-and-counters/report_days.ndjson': ndjson({ ...day, user_id: 7 }, { ...day, user_id: 8 }),
    'cases-and-counters/report_issues.ndjson': ndjson(...[48, 49, 51, 52].map((issue_id) => ({ ...reported, user_id: 7, issue_id })), {
      ...reported,
      user_id: 8,
      issue_id: 48,
    }),
  })
  const env = { ...here.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  customerId = documentOf(await caseway(env, 'office', 'import', '--from', folder, '--json')).customer_id
})
afterAll(() => here.drop())

const found = (sql: string) => here.cases.rows(`${sql} WHERE customer_id = $1`, [customerId])

describe('an import of data about deleted records', () => {
  it('includes the notifications', async () => {
    expect(
      await found('SELECT count(DISTINCT object_id)::int AS objects, count(DISTINCT issue_id)::int AS cases FROM notifications'),
    ).toEqual([{ objects: 5, cases: 5 }])
  })

  it('refers to no record of another office', async () => {
    const named = `SELECT FROM notifications JOIN comments ON comments.id = object_id AND type = 'comments_add' WHERE notifications.customer_id = $1`
    expect(await here.cases.rows(named, [customerId])).toHaveLength(1)
  })

  it('includes the counts of reports, also of people who have left', async () => {
    const counted = await found(
      'SELECT count(DISTINCT (user_id, issue_id))::int AS cases, count(DISTINCT user_id)::int AS people FROM report_issues',
    )
    expect(counted).toEqual([{ cases: 5, people: 2 }])
    expect(await found('SELECT sum(sentences)::int AS sentences FROM report_days')).toEqual([{ sentences: 4 }])
  })
})
