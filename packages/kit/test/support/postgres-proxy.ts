import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface PostgresProxy {
  /** The address of the database of `target` through the proxy. */
  readonly url: string
  /** How many packets were sent to the server. */
  packets(): number
  /**
   * Cuts the connection at the next packet that contains `text`: before the server receives it, or when the server has answered everything that was sent to
   * it, so that only the answer is lost.
   */
  cut(text: string, when: 'before' | 'answered'): void
  /** From now on the present connections transmit nothing, but stay open. New ones work. */
  silence(): void
  /** From now on new connections get no answer. The present ones work. */
  stall(): void
  /** From now on new connections are refused after `afterMs` milliseconds, as by a server that is starting; `undefined` ends that. */
  refuse(afterMs: number | undefined): void
  /** How many connections were attempted. */
  attempts(): number
  /** With true the server is unavailable: present connections end, and new ones are refused. False ends that. */
  away(isAway: boolean): void
  stop(): void
}

/** The answer of PostgreSQL while it is starting (docs: Frontend/Backend Protocol, `ErrorResponse`). */
const starting = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P03', M: 'the database system is starting up' })

function errorResponse(fields: Record<string, string>): Buffer {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([type, value]) => `${type}${value}\0`)
      .join('')}\0`,
  )
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** Counts the messages of these types in a packet: each has one byte for the type, then its length in four bytes, which includes these. */
function messages(packet: Buffer, types: string): number {
  let count = 0
  for (let at = 0; at + 5 <= packet.length; at += 1 + packet.readUInt32BE(at + 1))
    if (types.includes(String.fromCharCode(packet[at] as number))) count++
  return count
}

/** A proxy of PostgreSQL that cuts, silences or refuses connections as a test demands. */
export async function postgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<{ down: Socket; up: Socket; silent: boolean }>()
  let packets = 0
  let isAway = false
  let stalls = false
  let refusesAfterMs: number | undefined
  let attempts = 0
  let next: { text: string; when: 'before' | 'answered' } | undefined

  const server = createServer((down) => {
    attempts++
    if (isAway) return void down.destroy()
    if (refusesAfterMs !== undefined) return void setTimeout(() => down.end(starting), refusesAfterMs)
    const pair = { down, up: connect(Number(port), hostname), silent: stalls }
    let losesAnswer = false
    // The server answers the startup packet, each Sync and each simple query by ReadyForQuery.
    let unanswered = 0
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      down.destroy()
      pair.up.destroy()
    }
    down.on('data', (packet) => {
      if (pair.silent) return
      packets++
      unanswered += pair.up.bytesWritten === 0 ? 1 : messages(packet, 'SQ')
      if (next && packet.includes(next.text)) {
        const { when } = next
        next = undefined
        if (when === 'before') return end()
        losesAnswer = true
      }
      pair.up.write(packet)
    })
    pair.up.on('data', (packet) => {
      unanswered -= messages(packet, 'Z')
      if (losesAnswer) {
        if (unanswered === 0) end()
        return
      }
      if (!pair.silent) down.write(packet)
    })
    for (const socket of [down, pair.up]) socket.on('error', end).on('close', end)
  })
  const endAll = () => {
    for (const { down, up } of pairs) for (const socket of [down, up]) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    packets: () => packets,
    attempts: () => attempts,
    cut(text, when) {
      next = { text, when }
    },
    silence() {
      for (const pair of pairs) pair.silent = true
    },
    stall() {
      stalls = true
    },
    refuse(afterMs) {
      refusesAfterMs = afterMs
    },
    away(value) {
      isAway = value
      if (isAway) endAll()
    },
    stop() {
      server.close()
      endAll()
    },
  }
}
