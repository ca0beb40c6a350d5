import { expect, it } from '@jest/globals'
import { freePort } from '../free-port.mjs'

it('a port is returned only once, even if nobody listens there yet', async () => {
  const ports = await Promise.all(Array.from({ length: 1_000 }, () => freePort()))
  expect(new Set(ports).size).toBe(ports.length)
})
