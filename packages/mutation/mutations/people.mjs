import { of } from './of.mjs'

const links = 'packages/people/test/links.test.ts'
const users = 'packages/people/test/users.test.ts'
const groups = 'packages/people/test/groups.test.ts'
const copies = 'packages/people/test/copies.test.ts'

/** Copies of people, and what is asked of them. */
export default [
  ...of('packages/people/src/link.ts', links, [
    ["banned ? 'banned' : (states", '(states', 'is none with which their link is'],
    ["(states[state] ?? 'banned')", "(states[state] ?? 'ended')", 'does not begin where the link is'],
  ]),
  ...of('packages/people/src/link-rows.ts', links, [
    [' FOR SHARE', '', 'holds the link, so that a ban waits for it'],
    ['= ${param((id) => id)} AND linked', '= ${param((id) => id)}', 'is without a name the only one with an active link'],
  ]),
  ...of('packages/people/src/links.ts', links, [
    ['only === undefined || others.length > 0 ?', 'only === undefined ?', 'has to be named by a client of several'],
    ["if (state === 'active') await keep([link])", '', 'are kept at once where auth knows a link'],
    ['[...new Map(links.map((link) => [link.id, link])).values()]', 'links', 'for several states of a link that come together'],
    ['before.has(id) && ', '', 'is neither the first that is heard of a link nor its end'],
    [
      "forgetRevisions(db, table, { repeating: 'state_revision' })",
      'forgetRevisions(db, table)',
      'shows the client what it has shown',
      copies,
    ],
    ['state: AuthLinkState.ENDED, banned: true', 'state: AuthLinkState.ACTIVE, banned: false', 'whom the owner has lost', copies],
  ]),
  ...of('packages/people/src/users.ts', users, [
    [' AND active`', '`', 'is nobody who has left'],
    [' AND NOT active`', '`', 'is told when they have left, by the newest event'],
    [' || auth.hasUser(customerId, id)', '', 'is asked of auth when the copy does not know yet'],
    ['active: false, revision: 0n', 'active: true, revision: 0n', 'whom the owner has lost', copies],
  ]),
  ...of('packages/people/src/groups.ts', groups, [
    ['ORDER BY id FOR SHARE', 'ORDER BY id', 'waits for those who are about to name the group'],
    ['!before.some((group) => group.id === id)', 'true', 'is told once, in whatever order'],
    ['if (group) await store([{ ...group, deleted: false }])', '', 'is asked of auth once'],
    ['deleted: true, revision: 0n', 'deleted: false, revision: 0n', 'whom the owner has lost', copies],
    ['copied.filter(({ deleted }) => !deleted)', 'copied', 'is none that is deleted'],
    ['${ofOffice(param)} AND NOT deleted', '${ofOffice(param)}', 'is none that is deleted'],
  ]),
  ...of('packages/people/src/offices.ts', 'packages/people/test/offices.test.ts', [
    ['?.timeZone ?? defaultTimeZone', '?.timeZone ?? String(customerId)', 'until then it has the default'],
  ]),
]
