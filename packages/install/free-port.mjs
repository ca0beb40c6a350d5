import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ephemeral port ranges of Linux (ip_local_port_range), macOS and Windows, from which an outgoing connection could take a port between the
 * probe and its use.
 */
const [first, end] = [20_000, 32_768]

/** Ports that were returned before; their receivers may not listen yet. */
const given = new Set()

/** Returns a free port of the loopback interface, outside of the ephemeral ranges, which this process has not been given before. */
export async function freePort() {
  for (;;) {
    const port = randomInt(first, end)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port) {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false
    throw error
  }
  probe.close()
  await once(probe, 'close')
  return true
}
