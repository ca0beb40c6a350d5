import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { clamdScanner } from '../src/scans/clamd-scanner.client.js'
import { ok, type Script, type ScriptedClamd, says, scriptedClamd } from './support/scripted-clamd.js'

const running: ScriptedClamd[] = []
afterEach(async () => {
  for (const clamd of running.splice(0)) await clamd.stop()
})

async function clamdThat(script: Script, path?: string): Promise<ScriptedClamd> {
  const clamd = await scriptedClamd(script, path)
  running.push(clamd)
  return clamd
}

const never = new AbortController().signal
const unavailable = { kind: 'unavailable' }
const letter = [Buffer.from('a '), Buffer.from('letter')]

interface Asked {
  content?: Iterable<Buffer> | AsyncIterable<Buffer>
  timeoutMs?: number
  signal?: AbortSignal
}

const ask = ({ socketAddress: address }: ScriptedClamd, { content = letter, timeoutMs = 5000, signal = never }: Asked = {}) =>
  clamdScanner({ address, timeoutMs }).scan({ sizeBytes: 0, read: async () => Readable.from(content) }, signal)

describe('a result', () => {
  it('is requested with the whole content, over TCP and over a Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'caseway-clamd-'))
    const content = [randomBytes(1_000_000), randomBytes(1), randomBytes(300_000)]
    for (const path of [undefined, join(folder, 'clamd.ctl')]) {
      const received: Buffer[] = []
      const clamd = await clamdThat((socket, content, whole) => {
        if (whole) received.push(content())
        ok(socket, content, whole)
      }, path)
      expect(await ask(clamd, { content })).toEqual({ status: 'ok' })
      expect(Buffer.concat(content).equals(Buffer.concat(received))).toBe(true)
    }
    await rm(folder, { recursive: true })
  })

  it('names the virus', async () => {
    expect(await ask(await clamdThat(says('stream: Win.Test.EICAR_HDB-1 FOUND\0')))).toEqual({
      status: 'infected',
      error: 'Win.Test.EICAR_HDB-1',
    })
  })

  it('is returned for an empty file', async () => {
    expect(await ask(await clamdThat(ok), { content: [] })).toEqual({ status: 'ok' })
  })

  it('is a failure where clamd answers before the end of the file that it is too large', async () => {
    const clamd = await clamdThat((socket) => socket.end('INSTREAM size limit exceeded. ERROR\0'))
    expect(await ask(clamd, { content: Array(64).fill(Buffer.alloc(1_000_000)) })).toEqual({
      status: 'failed',
      error: 'The virus scanner takes no files of this size.',
    })
  })
})

describe('no result', () => {
  it.each([
    '',
    '\0',
    'stream: OK',
    'OK\0',
    'stream: OK\0\0',
    'stream: OK\nstream: Eicar FOUND\0',
    'stream: FOUND\0',
    'stream: Eicar FOUND',
    "stream: Can't allocate memory ERROR\0",
    "INSTREAM: Can't write to temporary file. ERROR\0",
    'COMMAND READ TIMED OUT\0',
    'UNKNOWN COMMAND\0',
  ])('is %j', async (answer) => {
    await expect(ask(await clamdThat(says(answer)))).rejects.toMatchObject(unavailable)
  })

  it('is an OK before the end of the file', async () => {
    const clamd = await clamdThat((socket) => socket.end('stream: OK\0'))
    await expect(ask(clamd, { content: Array(64).fill(Buffer.alloc(1_000_000)) })).rejects.toMatchObject(unavailable)
  })

  it('is returned by a connection that is cut in the middle of the file, or after it', async () => {
    await expect(ask(await clamdThat((socket) => socket.destroy()), { content: Array(9).fill(letter[0]) })).rejects.toMatchObject(
      unavailable,
    )
    const afterwards: Script = (socket, _content, whole) => whole && socket.resetAndDestroy()
    await expect(ask(await clamdThat(afterwards))).rejects.toMatchObject(unavailable)
  })

  it('is returned by a connection that clamd has ended while the file was read', async () => {
    const clamd = await clamdThat((socket) => socket.destroy())
    const content = (async function* () {
      await eventually(() => expect(clamd.open.size).toBe(0))
      yield Buffer.from('a letter')
    })()
    await expect(ask(clamd, { content })).rejects.toMatchObject(unavailable)
  })

  it('is returned by a clamd that hangs', async () => {
    const since = performance.now()
    await expect(ask(await clamdThat(() => undefined), { timeoutMs: 50 })).rejects.toMatchObject(unavailable)
    expect(performance.now() - since).toBeLessThan(2000)
  })

  it('is returned for content that cannot be read; the error of lost bytes is passed on', async () => {
    const clamd = await clamdThat(ok)
    const breaks = (async function* () {
      yield Buffer.from('a')
      throw new Error('EIO')
    })()
    await expect(ask(clamd, { content: breaks })).rejects.toMatchObject(unavailable)
    const lost = new Error('lost')
    const scanner = clamdScanner({ address: clamd.socketAddress, timeoutMs: 5000 })
    await expect(scanner.scan({ sizeBytes: 1, read: () => Promise.reject(lost) }, never)).rejects.toBe(lost)
    await eventually(() => expect(clamd.open.size).toBe(0))
  })
})

it('waits for a clamd that is down', async () => {
  const clamd = await clamdThat(ok)
  await clamd.stop()
  const answer = ask(clamd)
  await clamd.start()
  expect(await answer).toEqual({ status: 'ok' })
})

it('ends at once when it is aborted, whether clamd hangs or is down', async () => {
  const stopped = new AbortController()
  const clamd = await clamdThat(() => stopped.abort())
  await expect(ask(clamd, { signal: stopped.signal, timeoutMs: 60_000 })).rejects.toThrow()
  await eventually(() => expect(clamd.open.size).toBe(0))
  const path = join(tmpdir(), 'caseway-no-clamd')
  const nowhere = clamdScanner({ address: { path }, timeoutMs: 5000 })
  await expect(nowhere.scan({ sizeBytes: 0, read: async () => Readable.from([]) }, AbortSignal.timeout(20))).rejects.toThrow(/aborted/)
})

it('buffers little of a file that clamd reads slowly', async () => {
  const clamd = await clamdThat((socket) => socket.pause())
  let bytes = 0
  const endless = (async function* () {
    for (;;) {
      bytes += 1_000_000
      yield Buffer.alloc(1_000_000)
    }
  })()
  await expect(ask(clamd, { content: endless, timeoutMs: 200 })).rejects.toMatchObject(unavailable)
  expect(bytes).toBeLessThan(32_000_000)
})
