import { of } from './of.mjs'

const links = 'packages/people/test/links.test.ts'
const users = 'packages/people/test/users.test.ts'
const groups = 'packages/people/test/groups.test.ts'
const copies = 'packages/people/test/copies.test.ts'

/** Copies of people, and what is asked of them. */
export default [
  ...of('packages/people/src/link.ts', links, [
    ["banned ? 'banned' : (states", '(states', 'is refused where the link with it is'],
    ["(states[state] ?? 'banned')", "(states[state] ?? 'ended')", 'does not begin where the link is'],
  ]),
  ...of('packages/people/src/link-rows.ts', links, [
    [' FOR SHARE', '', 'locks the link against a ban, but not that of another client'],
    ['= ${param((id) => id)} AND linked', '= ${param((id) => id)}', 'is the only one with an active link, if none is named'],
  ]),
  ...of('packages/people/src/links.ts', links, [
    ['only === undefined || others.length > 0 ?', 'only === undefined ?', 'must be named by a client of several offices, or of none'],
    ["if (state === 'active') await keep([link])", '', 'are stored immediately if auth knows a link before its event arrives'],
    [
      '[...new Map(links.map((link) => [link.id, link])).values()]',
      'links',
      'is reported once for several states in one batch, and not if access is unchanged',
    ],
    ['before.has(id) && ', '', 'is not reported for the first event of a link, nor for its end'],
    [
      "forgetRevisions(db, table, { repeating: 'state_revision' })",
      'forgetRevisions(db, table)',
      'a link whose revision is forgotten still gives access, and accepts any state from its owner',
      copies,
    ],
    ['state: AuthLinkState.ENDED, banned: true', 'state: AuthLinkState.ACTIVE, banned: false', 'whom the owner has lost', copies],
  ]),
  ...of('packages/people/src/users.ts', users, [
    [' AND active`', '`', 'is not someone who has left, who works elsewhere, or is unknown to auth'],
    [' AND NOT active`', '`', 'is reported as inactive by the newest event, when they have left'],
    [' || auth.hasUser(customerId, id)', '', 'is looked up at auth if the copy does not have it'],
    ['active: false, revision: 0n', 'active: true, revision: 0n', 'whom the owner has lost', copies],
  ]),
  ...of('packages/people/src/groups.ts', groups, [
    ['ORDER BY id FOR SHARE', 'ORDER BY id', 'waits for transactions that refer to the group, and prevents later references'],
    ['!before.some((group) => group.id === id)', 'true', 'is reported once, whatever the order and number of its events'],
    ['if (group) await store([{ ...group, deleted: false }])', '', 'is looked up once at auth, if the copy does not have it'],
    ['deleted: true, revision: 0n', 'deleted: false, revision: 0n', 'whom the owner has lost', copies],
    ['copied.filter(({ deleted }) => !deleted)', 'copied', 'is not found if it is deleted, of another office, or unknown'],
    ['${ofOffice(param)} AND NOT deleted', '${ofOffice(param)}', 'is not found if it is deleted, of another office, or unknown'],
  ]),
  ...of('packages/people/src/offices.ts', 'packages/people/test/offices.test.ts', [
    ['?.timeZone ?? defaultTimeZone', '?.timeZone ?? String(customerId)', 'until then it has the default'],
  ]),
]
