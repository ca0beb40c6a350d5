import { of } from './of.mjs'

const test = 'packages/kit/test/outbound/outbound-fetch.test.ts'
const addresses = 'packages/kit/src/outbound/public-address.test.ts'

/** Requests to hosts outside of the installation. */
export default [
  ...of('packages/kit/src/outbound/public-address.ts', addresses, [
    ["parsed.range() === 'unicast' && ", '', 'is not public'],
    [' && isAssigned(parsed)', '', 'is not public'],
    [' && parsed.toString() !== azureMetadata', '', 'is not public'],
  ]),
  ...of('packages/kit/src/outbound/guarded-connect.ts', test, [
    ['.every((', '.some((', 'beside a public one is refused'],
    ["protocol === 'https:' && (isIP", '(isIP', 'is refused'],
    ['(isIP(literal) === 0 || isPublicAddress(literal))', 'true', 'is refused without a connection'],
    [
      'hosts.includes(hostname) || hosts.includes(`${hostname}:${portOf}`)',
      'hosts.some((host) => host.startsWith(hostname))',
      'of a host that is named is asked',
    ],
  ]),
  ...of('packages/kit/src/outbound/outbound-fetch.ts', test, [
    [' || url.username || url.password', '', 'is refused'],
    [', maxResponseSize: maxBytes', '', 'larger than the limit'],
    ['const timeout = AbortSignal.timeout(timeoutMs)', 'const timeout = new AbortController().signal', 'is an error in time'],
  ]),
]
