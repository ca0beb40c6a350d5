import type { Socket } from 'node:net'
import { expect, it } from '@jest/globals'
import { clientAddress, networksOf } from './client-address.js'

const from = (ip: string, remoteAddress: string | undefined = '192.0.2.1') => clientAddress({ ip, socket: { remoteAddress } as Socket })

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['nonsense', '192.0.2.1'],
])('a request from %s is from %s', (ip, address) => expect(from(ip)).toBe(address))

it('a request whose proxy has added no valid address is attributed to the proxy', () => {
  expect(from('', '::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(clientAddress({ ip: '', socket: {} as Socket })).toBe('unknown')
})

it.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/48']],
  ['unknown', ['unknown']],
])('%s counts for %j', (address, networks) => expect(networksOf(address)).toEqual(networks))
