import { of } from './of.mjs'

const erasure = 'packages/kit/test/person-data/erase-person.test.ts'
const pages = 'packages/kit/test/database/row-pages.test.ts'
const erased = 'services/auth/test/clients/erased-client.test.ts'

/** A person who demands to be erased. */
export default [
  ...of('packages/kit/src/person-data/erase-person.ts', erasure, [
    ['if (found === 0) return erased', 'if (found >= 0) return erased + found', 'is erased also from concurrent writes'],
    [
      'await run(next, last)) erased',
      '({ found: 0, last: null })) erased',
      'is erased from more rows than one transaction changes, each once',
    ],
  ]),
  ...of('packages/kit/src/database/row-pages.ts', pages, [
    ['nth = 1 OR bytes', 'bytes', 'contain at most a megabyte of values'],
    ['OR bytes <= ${maxBytes}', 'OR true', 'contain at most a megabyte of values'],
    ['Number(one.nth) - Number(other.nth)', 'Number(other.nth) - Number(one.nth)', 'contain every row once'],
  ]),
  ...of('deploy/caseway/src/problem.ts', 'deploy/caseway/test/database-failures.test.ts', [
    ['if (isTooSlow(error)) return', 'if (!error) return', 'a statement time-out is reported'],
  ]),
  ...of('packages/kit/src/person-data/person.ts', erasure, [
    ['>= shortestName', '>= 1', 'is blacked out by each of their names in texts about them, except names of two letters'],
    ['        [last, first],\n', '', 'a full name, in both orders'],
    ['words.map(phrase).join(betweenNames)', "words.map(phrase).join(' ')", 'a name in the name of a file or a sender'],
    ['replace(/\\s+/g, space)', "replace(/\\s+/g, ' ')", 'a name in HTML'],
    ['escapes[character] ?? ', '', 'a name in HTML'],
    ['|(?<=\\\\\\\\[bfnrt])', '', 'a name after a line break of JSON'],
    ['return [`"user_client_id":"?${clientId}"?[,}]`, ...ofNames]', 'return ofNames', 'that names the client'],
    ['domainToUnicode(domain) || domain', 'domain', 'an address, in either form of its domain'],
    ['digits.length < fewestDigits', 'digits.length < 0', 'not a longer number that contains it, and not a short one'],
    ['(?<![[:alnum:]])|', '|', 'no address that only ends or begins alike'],
  ]),
  ...of('packages/kit/src/person-data/person-statements.ts', erasure, [
    ['= $1::bigint`]', '> 0`]', 'stays in the records of another office'],
    ['THEN person.likely ELSE person.sure END', 'THEN person.likely ELSE person.likely END', 'no single name and no company'],
    ["json ? notInKey : ''", "''", 'whose name is also in a key of JSON is blacked out in values only'],
    ["job.state IN ('done', 'failed', 'uncertain') AND ", '', 'is erased from finished jobs, dead letters and stored answers'],
    ['own: remembered', "own: 'false'", 'is in no remembered answer about a record'],
    ["LIKE '%@' || person.office_id", "LIKE '%@%'", 'another office gets its own again'],
    ['OR dead_letter.key IN (person.office_id::text, person.person_id::text) AND EXISTS', 'OR EXISTS', 'other people stay'],
    ["${fieldOf('last')} IN", "${bytesOf('last')} IN", 'is erased from dead letters with the names in fields, and other people stay'],
  ]),
  ...of('services/auth/src/clients/erasure.repository.ts', erased, [
    [
      "where: { userClientId: id, state: 'reserved' } })) throw",
      "where: { userClientId: id, state: 'none' } })) throw",
      'is not erased while the accounting platform changes their data',
    ],
    ['await outbox(tx, linkTopic', 'if (erased.banned) await outbox(tx, linkTopic', 'has no names there, which is published'],
  ]),
  ...of('services/auth/src/clients/erasure.service.ts', erased, [
    ['await sessions.endAll(subject)', '', 'at their last office loses account and sessions'],
    ['await mails.forget(subject, account.email)', '', 'does not get queued mails'],
  ]),
  ...of('services/auth/src/clients/link.repository.ts', erased, [
    ['state, invitedEmail, erased: false }', 'state, invitedEmail }', 'can link with the office again'],
  ]),
]
