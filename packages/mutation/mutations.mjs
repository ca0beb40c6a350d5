import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import auth from './mutations/auth.mjs'
import cards from './mutations/cards.mjs'
import cases from './mutations/cases.mjs'
import clientData from './mutations/client-data.mjs'
import database from './mutations/database.mjs'
import events from './mutations/events.mjs'
import files from './mutations/files.mjs'
import gateway from './mutations/gateway.mjs'
import http from './mutations/http.mjs'
import integrations from './mutations/integrations.mjs'
import jobs from './mutations/jobs.mjs'
import kubernetes from './mutations/kubernetes.mjs'
import mailMessages from './mutations/mail-messages.mjs'
import mailReceiving from './mutations/mail-receiving.mjs'
import mailSending from './mutations/mail-sending.mjs'
import mailSent from './mutations/mail-sent.mjs'
import mailServers from './mutations/mail-servers.mjs'
import officeData from './mutations/office-data.mjs'
import outbound from './mutations/outbound.mjs'
import people from './mutations/people.mjs'
import personData from './mutations/person-data.mjs'
import polls from './mutations/polls.mjs'
import tokens from './mutations/tokens.mjs'
import webhooks from './mutations/webhooks.mjs'
import widgets from './mutations/widgets.mjs'

/**
 * The hand-written mutations: in `file`, `text` is replaced by `with`; the test in the file `test` whose name contains `killedBy` then has to fail.
 */
export const mutations = [
  ...tokens,
  ...auth,
  ...database,
  ...events,
  ...jobs,
  ...http,
  ...gateway,
  ...outbound,
  ...people,
  ...cases,
  ...clientData,
  ...files,
  ...cards,
  ...polls,
  ...webhooks,
  ...widgets,
  ...kubernetes,
  ...officeData,
  ...personData,
  ...integrations,
  ...mailMessages,
  ...mailReceiving,
  ...mailSent,
  ...mailSending,
  ...mailServers,
]

/** The mutations that cannot be run: their text is not there exactly once, or their test does not exist. */
export function staleOf(project, list = mutations) {
  const files = new Map()
  const read = (file) => {
    const path = join(project, file)
    if (!files.has(file)) files.set(file, existsSync(path) ? readFileSync(path, 'utf8') : undefined)
    return files.get(file)
  }
  /** A test file and the suites of its `support/`, which several test files share. */
  const testsOf = (test) => {
    const own = read(test) ?? ''
    const suites = [...own.matchAll(/from '(\.{1,2}\/support\/[^']+)\.js'/g)].map(([, path]) => read(join(dirname(test), `${path}.ts`)))
    return [own, ...suites].join('\n')
  }
  return list.flatMap(({ file, text, test, killedBy }) => {
    const found = (read(file)?.split(text).length ?? 0) - 1
    const named = `${file}: ${JSON.stringify(text)}`
    if (found < 0) return [`${named}: there is no such file`]
    if (found !== 1) return [`${named}: found ${found} times, not once`]
    return testsOf(test).includes(killedBy) ? [] : [`${named}: ${test} has no test "${killedBy}"`]
  })
}
