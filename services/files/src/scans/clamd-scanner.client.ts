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
/** While clamd is away a scan waits for it for so long: the scans behind it stay in the queue, instead of failing one after the other. */
const patienceMs = 10_000
const betweenAttemptsMs = 500

/** Past its `StreamMaxLength`. */
const tooLarge = 'INSTREAM size limit exceeded. ERROR\0'

interface Clamd {
  readonly address: SocketAddress
  /** For which it may be silent, in milliseconds. */
  readonly timeoutMs: number
}

/** Asks a clamd by its command INSTREAM (clamd(8)): in chunks, each with its length before it, and an empty one at the end. */
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
  // With `allowHalfOpen`, an end that comes early is an error of what is written, instead of a stream that ends well and takes nothing more.
  const socket = addAbortSignal(signal, connect({ ...address, timeout: connectTimeoutMs, allowHalfOpen: true }))
  socket.on('timeout', () => socket.destroy(new Error('clamd does not answer.')))
  // Whoever reads or writes gets it as well; between the two nobody does.
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

/** What clamd says of `content`. Of what is too large for it, it says that before the end, and closes the connection. */
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

/** Only what clamd has said whole and in these words is a result. Anything else, as that its disk is full, can be another time. */
function resultOf(answer: string): ScanResult {
  const [, virus] = /^stream: (.+) FOUND\0$/.exec(answer) ?? []
  if (virus !== undefined) return { status: 'infected', error: virus }
  if (answer === 'stream: OK\0') return { status: 'ok' }
  if (answer === tooLarge) return { status: 'failed', error: 'The virus scanner takes no files of this size.' }
  throw unavailable(new Error(`clamd answered ${JSON.stringify(answer)}.`))
}
