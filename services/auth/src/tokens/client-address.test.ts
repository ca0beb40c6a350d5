import { expect, it } from '@jest/globals'
import { clientAddress, networksOf } from './client-address.js'

const from = (forwarded: string | undefined, ip = '192.0.2.1') => clientAddress(forwarded, ip)

it.each([
  [undefined, '192.0.2.1'],
  ['', '192.0.2.1'],
  ['203.0.113.7', '203.0.113.7'],
  ['1.1.1.1, 2.2.2.2 ,203.0.113.7 ', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['unknown', 'unknown'],
])('X-Forwarded-For %j is %s', (forwarded, address) => expect(from(forwarded)).toBe(address))

it('one host with all of its IPv6 addresses is one', () => {
  expect(from('2001:db8::1')).toBe(from(undefined, '2001:db8::ffff:ffff:ffff:ffff'))
  expect(from('2001:db8::1')).not.toBe(from('2001:db8:0:1::1'))
})

it('counts for the site around an IPv6 network as well', () => {
  expect(networksOf(from('203.0.113.7'))).toEqual(['203.0.113.7'])
  expect(networksOf(from('2001:db8:1:2::5'))).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48'])
  expect(networksOf(from('unknown'))).toEqual(['unknown'])
})
