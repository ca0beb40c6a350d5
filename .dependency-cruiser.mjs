/**
 * Who may use whom, one sentence each (`npm run verify`). In a module of a service the last word of a file's name says its part:
 * `tag.ts` is pure, `tag.service.ts` are the rules, `tag.repository.ts` is storage, `tag.routes.ts` is an edge.
 */

const anyOf = (...names) => `(?:${names.join('|')})`
const libraries = (...names) => `(?:^|node_modules/)${anyOf(...names)}(?:/|$)`
const kit = (...parts) => `(?:^@caseway/kit/|^packages/kit/(?:src|dist)/)${anyOf(...parts)}(?:[/.]|$)`
const parts = (...suffixes) => `^services/[^/]+/src/.+\\.${anyOf(...suffixes)}\\.ts$`
const test = '(?:\\.test\\.ts$|/test/|^test-e2e/|^packages/testing/)'

const pure = '^services/[^/]+/src/[^/]+/[^/.]+\\.ts$'
/** Declares the events of a neighbour that a module subscribes to. */
const topics = '[-/]topics\\.ts$'
const generatedClient = '^services/[^/]+/(?:src|dist)/generated/'
const storageLibraries = libraries('@prisma/client', '@prisma/adapter-pg', 'pg', 'kysely')
const transportLibraries = libraries('fastify', '@fastify/[^/]+', '@grpc/[^/]+', 'kafkajs')
const mailLibraries = libraries('nodemailer', 'imapflow', 'libmime', 'mailparser', 'node-pop3')
const notOnlyTypes = { dependencyTypesNot: ['type-only'] }

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

export default {
  forbidden: [
    rule('no-cycles', 'Two files that import each other should be one file, or share a third.', {}, { circular: true }),
    rule(
      'services-share-nothing',
      'A service reaches another over gRPC or events; code for both belongs in packages/.',
      { path: '^services/([^/]+)/' },
      {
        path: '^(?:services|gateway|deploy|bench)/|^@caseway/(?!kit/|people$|protos/|registry|testing)',
        pathNot: '^services/$1/|^@caseway/$1/',
      },
    ),
    rule(
      'packages-know-no-service',
      'What everybody stands on knows nobody who stands on it; the people of an office are for services.',
      { path: '^(packages/[^/]+|protos)/' },
      {
        path: '^(?:services|gateway|deploy|test-e2e|bench|packages/people)/|^@caseway/(?!kit/|protos/|registry|testing|install/|prisma-engine)',
        pathNot: '^$1/',
      },
    ),
    rule(
      'gateway-knows-no-service',
      'The gateway knows prefixes and addresses, not code.',
      { path: '^gateway/', pathNot: test },
      { path: '^(?:services|deploy|bench)/|^@caseway/(?!kit/|protos/|registry|gateway/)' },
    ),
    rule(
      'rules-know-no-transport',
      'What may be done with a thing is said without HTTP, gRPC, Kafka or SQL.',
      { path: [pure, parts('service')] },
      { path: [transportLibraries, storageLibraries, mailLibraries, generatedClient] },
    ),
    rule(
      'rules-take-types-only-of-the-machinery',
      'A page, a query or a transaction may be named in a rule, not made there.',
      { path: [pure, parts('service')], pathNot: topics },
      { path: kit('http', 'grpc', 'events', 'database'), ...notOnlyTypes },
    ),
    rule(
      'pure-files-stay-pure',
      'A file without a part in its name does no I/O, and uses nothing that does.',
      { path: pure },
      {
        path: [
          parts('service', 'repository', 'routes', 'grpc', 'consumer', 'client'),
          '^(?:node:)?(?:fs|net|tls|http|https|http2|dns|child_process)(?:/|$)',
        ],
        ...notOnlyTypes,
      },
    ),
    rule(
      'only-repositories-touch-prisma',
      'Storage has one kind of door; the composition of a service makes the client.',
      {
        path: '^(?:services|gateway)/[^/]+/src/|^gateway/src/',
        pathNot: ['\\.repository\\.ts$', '^services/[^/]+/src/(?:database|wiring|migrate)\\.ts$', test, generatedClient],
      },
      { path: [libraries('@prisma/client', '@prisma/adapter-pg'), generatedClient] },
    ),
    rule(
      'only-clients-touch-the-mail-libraries',
      'The outside world stands behind a port in our own words.',
      { path: '^(?:services|gateway|packages)/', pathNot: ['\\.client\\.ts$', test] },
      { path: mailLibraries },
    ),
    rule(
      'only-the-kit-touches-kafkajs',
      'The broker stands behind the port of kit/events.',
      { pathNot: '^packages/kit/(?:src|test)/' },
      { path: libraries('kafkajs') },
    ),
    rule(
      'edges-do-not-touch-storage',
      'An edge translates and calls a service.',
      { path: parts('routes', 'grpc', 'consumer') },
      { path: [parts('repository'), storageLibraries, generatedClient, kit('database')] },
    ),
    rule(
      'nothing-below-a-service-knows-it',
      'A service uses storage, the shape of the wire and clients; never the other way round.',
      { path: parts('repository', 'resource', 'client') },
      { path: parts('service', 'routes', 'grpc', 'consumer', 'wiring') },
    ),
    rule(
      'modules-have-one-entry',
      'Another module is entered by its service or its pure files.',
      { path: '^services/([^/]+)/src/([^/]+)/', pathNot: [test, generatedClient] },
      {
        path: '^services/$1/src/[^/]+/.+\\.(?:repository|resource|routes|grpc|consumer|client|wiring)\\.ts$',
        pathNot: '^services/$1/src/$2/',
      },
    ),
    rule(
      'parts-of-the-kit-have-one-entry',
      'A part of the kit is used through its index.',
      { path: '^packages/kit/src/([^/]+)/' },
      { path: '^packages/kit/src/[^/]+/(?!index\\.ts$)', pathNot: '^packages/kit/src/$1/' },
    ),
    rule(
      'no-tests-in-production',
      'What ships does not need what tests it.',
      { pathNot: [test, '^(?:bench|packages/(?:testing|verify|mutation))/', '^jest\\.config\\.mjs$'] },
      { path: `${test}|^@caseway/testing|${libraries('@jest/[^/]+', 'fast-check')}` },
    ),
    rule(
      'packages-are-declared',
      'What is imported stands in the package.json of the importer, or in that of the whole.',
      { path: '^(?:services|gateway|packages|deploy|protos|test-e2e|bench)/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: ['node_modules', '/dist/', '/generated/', '/gen/'] },
    exclude: { path: '(?:^|/)coverage/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
}
