import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { SocketAddress } from '@caseway/kit/config'
import { unavailable } from '@caseway/kit/errors'
import type { ScanResult } from '../common-files/common-file.js'
import type { VirusScanner } from './virus-scanner.js'

const connectTimeoutMs = 3000
/** How long a scan waits for clamd to be reachable, in milliseconds, so that the scans behind it stay in the queue instead of failing one after the other. */
const patienceMs = 10_000
const betweenAttemptsMs = 500

/** The answer of clamd to more bytes than its `StreamMaxLength`. */
const tooLarge = 'INSTREAM size limit exceeded. ERROR\0'

interface Clamd {
  readonly address: SocketAddress
  /** How long clamd may be silent, in milliseconds. */
  readonly timeoutMs: number
}

/** Scans by the command INSTREAM of clamd (clamd(8)): chunks that are each preceded by their length, and an empty one at the end. */
export const clamdScanner = ({ address, timeoutMs }: Clamd): VirusScanner => ({
  async scan({ read }, signal) {
    const socket = await patiently(() => connected(address, signal), signal)
    try {
      socket.setTimeout(timeoutMs)
      return resultOf(await answerTo(await read(), socket))
    } finally {
      socket.destroy()
    }
  },
})

async function connected(address: SocketAddress, signal: AbortSignal): Promise<Socket> {
  // With `allowHalfOpen`, an early end by clamd is an error of the next write. Otherwise the socket would end silently.
  const socket = addAbortSignal(signal, connect({ ...address, timeout: connectTimeoutMs, allowHalfOpen: true }))
  socket.on('timeout', () => socket.destroy(new Error('clamd does not answer.')))
  // Errors are thrown by reads and writes; this listener catches those in between.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() >= until) throw unavailable(error)
    }
    await pause(betweenAttemptsMs, undefined, { signal })
  }
}

/** Sends `content`, and returns the answer of clamd. If the content is too large, clamd answers before its end and closes the connection. */
async function answerTo(content: Readable, socket: Socket): Promise<string> {
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  try {
    await pipeline(inChunks(content), socket, { end: false })
    await finished(socket, { writable: false })
  } catch (error) {
    if (answer !== tooLarge) throw unavailable(error)
  }
  return answer
}

async function* inChunks(content: Readable) {
  yield 'zINSTREAM\0'
  for await (const chunk of content) {
    yield lengthOf(chunk)
    yield chunk
  }
  yield lengthOf('')
}

function lengthOf({ length }: { readonly length: number }): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

/** Parses an answer of clamd. Any other answer, such as an error about a full disk, is `unavailable`, so that the scan is retried. */
function resultOf(answer: string): ScanResult {
  const [, virus] = /^stream: (.+) FOUND\0$/.exec(answer) ?? []
  if (virus !== undefined) return { status: 'infected', error: virus }
  if (answer === 'stream: OK\0') return { status: 'ok' }
  if (answer === tooLarge) return { status: 'failed', error: 'The virus scanner takes no files of this size.' }
  throw unavailable(new Error(`clamd answered ${JSON.stringify(answer)}.`))
}
