import { of } from './of.mjs'

const test = 'packages/kit/test/outbound/outbound-fetch.test.ts'
const resolver = 'packages/kit/test/outbound/guarded-resolver.test.ts'
const addresses = 'packages/kit/src/outbound/public-address.test.ts'

/** Requests to hosts outside of the installation. */
export default [
  ...of('packages/kit/src/outbound/public-address.ts', addresses, [
    ["parsed.range() === 'unicast' && ", '', 'is not public'],
    [' && isAssigned(parsed)', '', 'is not public'],
    [' && parsed.toString() !== azureMetadata', '', 'is not public'],
  ]),
  ...of('packages/kit/src/outbound/guarded-connect.ts', test, [
    ['.every((', '.some((', 'next to a public one is refused'],
    ["protocol === 'https:' && (isIP", '(isIP', 'is refused'],
    ['(isIP(literal) === 0 || isPublicAddress(literal))', 'true', 'is refused without a connection'],
  ]),
  ...of('packages/kit/src/outbound/private-host.ts', test, [
    [
      'privateHosts.includes(host) ||',
      'privateHosts.some((named) => named.startsWith(host)) ||',
      'of a private host is called, also over plain HTTP',
    ],
    ['|| privateHosts.includes(`${host}:${port}`)', '', 'of a private host is returned, at the configured port', resolver],
    ["port === '' ?", 'false ?', 'with the default port of a protocol', 'services/partner/src/webhooks/webhook-url.test.ts'],
  ]),
  ...of('packages/kit/src/outbound/outbound-fetch.ts', test, [
    [' || url.username || url.password', '', 'is refused'],
    [', maxResponseSize: maxBytes', '', 'larger than the limit'],
    ['const timeout = AbortSignal.timeout(timeoutMs)', 'const timeout = new AbortController().signal', 'is an error in time'],
  ]),
]
