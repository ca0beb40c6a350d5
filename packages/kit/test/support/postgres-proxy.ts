import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface PostgresProxy {
  /** The database of `target`, by way of the proxy. */
  readonly url: string
  /** How many packets the server has been sent. */
  packets(): number
  /**
   * Ends the connection at the next packet that contains `text`: before the server gets it, or when the server has answered it, so that
   * only the answer is lost.
   */
  cut(text: string, when: 'before' | 'answered'): void
  /** From now on nothing goes through the connections that there are, and nobody is told. New ones work. */
  silence(): void
  stop(): void
}

/** A way to PostgreSQL on which connections end or fall silent where a test says so. */
export async function postgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<{ down: Socket; up: Socket; silent: boolean }>()
  let packets = 0
  let next: { text: string; when: 'before' | 'answered' } | undefined

  const server = createServer((down) => {
    const pair = { down, up: connect(Number(port), hostname), silent: false }
    let losesAnswer = false
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      down.destroy()
      pair.up.destroy()
    }
    down.on('data', (packet) => {
      if (pair.silent) return
      packets++
      if (next && packet.includes(next.text)) {
        const { when } = next
        next = undefined
        if (when === 'before') return end()
        losesAnswer = true
      }
      pair.up.write(packet)
    })
    pair.up.on('data', (packet) => {
      if (losesAnswer) return end()
      if (!pair.silent) down.write(packet)
    })
    for (const socket of [down, pair.up]) socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    packets: () => packets,
    cut(text, when) {
      next = { text, when }
    },
    silence() {
      for (const pair of pairs) pair.silent = true
    },
    stop() {
      server.close()
      for (const { down, up } of pairs) for (const socket of [down, up]) socket.destroy()
    },
  }
}
