import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux (ip_local_port_range), macOS and Windows give to outgoing connections, which could take one between the probe and its use. */
const [first, end] = [20_000, 32_768]

/** Whoever was given a port may listen there much later. */
const given = new Set()

/**
 * A port of the loopback interface that is free at this moment, that no outgoing connection of this machine takes, and that this process was not given
 * before.
 */
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
