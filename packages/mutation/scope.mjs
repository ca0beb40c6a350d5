import { execFileSync } from 'node:child_process'
import { matchesGlob } from 'node:path'

const kit = 'packages/kit'
const http = (...names) => names.map((name) => `${kit}/test/http/${name}.test.ts`)
const beside = (folder) => [`${folder}/*.test.ts`]

/**
 * What StrykerJS mutates, and the suites that have to kill the mutants: pure rules, tokens, and `kit/http`, whose suites have databases of their own.
 * With every suite that executes a file, a mutant would take a minute.
 */
const scope = [
  [`${kit}/src/config/*.ts`, beside(`${kit}/src/config`)],
  [`${kit}/src/tokens/*.ts`, [...beside(`${kit}/src/tokens`), `${kit}/test/{tokens,key-set}.test.ts`]],
  [`${kit}/src/lifecycle/lifecycle.ts`, beside(`${kit}/src/lifecycle`)],
  [`${kit}/src/grpc/status.ts`, beside(`${kit}/src/grpc`)],
  [`${kit}/src/events/kafka/watchdog.ts`, beside(`${kit}/src/events/kafka`)],
  [`${kit}/src/fields/*.ts`, [...beside(`${kit}/src/fields`), ...http('wire-types', 'wrapped-bodies')]],
  [`${kit}/src/resource/{cursor,list-query}.ts`, http('lists', 'list-orders')],
  [`${kit}/src/resource/zones.ts`, http('times')],
  [`${kit}/src/resource/{naming,record,resource,shapes}.ts`, http('described-answers', 'documents', 'lists', 'wire-types')],
  [`${kit}/src/http/bodies/{body,wrapped-body}.ts`, http('bodies', 'wire-types', 'wrapped-bodies')],
  [`${kit}/src/http/bodies/{json-body,plain-validation}.ts`, http('bodies', 'plain-routes')],
  [
    `${kit}/src/http/bodies/{tagged-json,wire}.ts`,
    [...beside(`${kit}/src/http/bodies`), ...http('conditional', 'described-answers', 'times')],
  ],
  [`${kit}/src/http/documents/*.ts`, http('described-answers', 'documents')],
  [`${kit}/src/http/routes/{authenticate,route-space}.ts`, http('authentication', 'errors', 'plain-routes')],
  [`${kit}/src/http/routes/{etag,id-param,resource-routes,verbs}.ts`, http('conditional', 'lists', 'unknown', 'wire-types')],
  [`${kit}/src/http/routes/{action,singleton}.ts`, http('actions')],
  [`${kit}/src/http/routes/idempotency.ts`, http('idempotency')],
  [`${kit}/src/http/server/client-address.ts`, beside(`${kit}/src/http/server`)],
  [`${kit}/src/http/server/{request-metrics,server-span,tracing}.ts`, [...http('errors'), `${kit}/test/tracing/http.test.ts`]],
  [
    `${kit}/src/http/server/{app,closing,default-headers,envelope,failures,health,server,socket-errors,unknown}.ts`,
    http('authentication', 'closing', 'default-headers', 'errors', 'sockets', 'unknown'),
  ],
  [`${kit}/src/secrets/*.ts`, beside(`${kit}/src/secrets`)],
  ['services/auth/src/keys/signing-key.ts', beside('services/auth/src/keys')],
  ['services/auth/src/roles/right.ts', beside('services/auth/src/roles')],
  ['services/auth/src/tokens/{refresh-token,token-request}.ts', beside('services/auth/src/tokens')],
  ['services/*/src/counters/issue-counter.ts', beside('services/*/src/counters')],
  ['services/*/src/feed/{event-stream,feed}.ts', beside('services/*/src/feed')],
  ['services/company-card/src/published-cards/local-business.ts', beside('services/company-card/src/published-cards')],
  ['services/*/src/issues/issue.ts', beside('services/*/src/issues')],
]

const left = ['**/*.test.ts', '**/index.ts']

/**
 * The files that StrykerJS mutates, grouped by the suites that test them.
 * @param isNamed whether a file was requested
 */
export function mutatedParts(project, isNamed) {
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: project, encoding: 'utf8' })
    .split('\n')
    .filter((file) => isNamed(file) && !left.some((glob) => matchesGlob(file, glob)))
  return scope.flatMap(([glob, suites]) => {
    const mutated = files.filter((file) => matchesGlob(file, glob))
    return mutated.length > 0 ? [{ files: mutated, suites }] : []
  })
}
