import { AppError, tooLarge } from '@caseway/kit/errors'
import { clientStream, createGrpcClient, startGrpcServer } from '@caseway/kit/grpc'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { type ScanRequest, type ScanResponse, ScanServiceClient, ScanServiceService } from '@caseway/protos/files/v1/scans'
import { eventually } from '@caseway/testing/eventually'
import { ChannelCredentials } from '@grpc/grpc-js'
import { afterEach, expect, it } from '@jest/globals'
import { freePort } from './support/people-server.js'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

const method = '/caseway.files.v1.ScanService/Scan'
const answer: ScanResponse = { status: 2, error: '' }

/** @param deadlineMs long enough for 65 MB on a busy machine */
function connect(port: number, deadlineMs = 30_000) {
  const plain = { serverName: 'files', credentials: ChannelCredentials.createInsecure() }
  const client = createGrpcClient(ScanServiceClient, { address: `127.0.0.1:${port}`, ...plain, deadlineMs })
  cleanUps.push(() => client.close())
  return client
}

async function setUp(scan: (requests: AsyncIterable<ScanRequest>, left: AbortSignal) => Promise<ScanResponse>, deadlineMs?: number) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const metrics = createMetrics('test')
  const services = [[ScanServiceService, { scan: clientStream(scan) }]] as const
  const at = { host: '127.0.0.1', port: 0, security: 'plaintext', callers: [] } as const
  const server = await startGrpcServer({ ...at, services, log, metrics, drainMs: 50 })
  cleanUps.push(() => server.stop())
  const ended = (code: string) =>
    eventually(async () => {
      const { values } = (await metrics.registry.getSingleMetric('grpc_server_calls_total')?.get()) ?? { values: [] }
      expect(values).toMatchObject([{ labels: { method, code }, value: 1 }])
    })
  return { client: connect(server.port, deadlineMs), lines, ended }
}

async function* sent(...chunks: Buffer[]) {
  for (const chunk of chunks) yield { chunk }
}

const all = async (requests: AsyncIterable<ScanRequest>) => {
  const chunks: Buffer[] = []
  for await (const { chunk } of requests) chunks.push(chunk)
  return Buffer.concat(chunks)
}

it('delivers all messages in order, even if there are none, and then the answer', async () => {
  const got: Buffer[] = []
  const { client } = await setUp(async (requests) => {
    got.push(await all(requests))
    return answer
  })
  const chunks = Array.from({ length: 100 }, (_, i) => Buffer.alloc(65_536, i))
  expect(await client.scan(sent(...chunks))).toEqual(answer)
  expect(await client.scan(sent())).toEqual(answer)
  expect(got.map((bytes) => bytes.equals(Buffer.concat(chunks)))).toEqual([true, false])
})

it('throws the error of the server, which need not wait for the end', async () => {
  const { client, ended } = await setUp(async (requests) => {
    for await (const _ of requests) throw tooLarge('Too large.')
    return answer
  })
  async function* endless() {
    for (;;) yield { chunk: Buffer.alloc(65_536) }
  }
  await expect(client.scan(endless())).rejects.toMatchObject({ kind: 'too-large', message: 'Too large.' })
  await ended('OUT_OF_RANGE')
})

it('reveals nothing of an internal error, which the server logs', async () => {
  const { client, lines } = await setUp(async () => {
    throw new TypeError('canary')
  })
  const error = await client.scan(sent(Buffer.from('a'))).catch((caught: unknown) => caught)
  expect(error).not.toBeInstanceOf(AppError)
  expect(String(error)).not.toContain('canary')
  expect(lines).toMatchObject([{ level: 'error', method, err: { message: 'canary' } }])
})

it('sends only as fast as the server reads', async () => {
  let produced = 0
  const released = Promise.withResolvers<void>()
  const { client } = await setUp(async (requests) => {
    await released.promise
    await all(requests)
    return answer
  })
  async function* many() {
    for (; produced < 1_000; produced++) yield { chunk: Buffer.alloc(65_536) }
  }
  const scan = client.scan(many())
  let before = 0
  await eventually(async () => {
    const isStill = produced > 0 && produced === before
    before = produced
    expect(isStill).toBe(true)
  })
  expect(produced).toBeLessThan(500)
  released.resolve()
  expect(await scan).toEqual(answer)
  expect(produced).toBe(1_000)
})

it('is cancelled when the request stream fails, and rejects with its error', async () => {
  let broken = false
  const got = Promise.withResolvers<void>()
  const { client } = await setUp(async (requests, left) => {
    left.addEventListener('abort', () => {
      broken = true
    })
    for await (const _ of requests) got.resolve()
    return answer
  })
  async function* failing() {
    yield { chunk: Buffer.from('a') }
    await got.promise
    throw new RangeError('No more.')
  }
  await expect(client.scan(failing())).rejects.toEqual(new RangeError('No more.'))
  await eventually(async () => expect(broken).toBe(true))
})

it('is unavailable where no server listens, and after its deadline', async () => {
  const nobody = connect(await freePort())
  await expect(nobody.scan(sent(Buffer.from('a')))).rejects.toMatchObject({ kind: 'unavailable' })
  let left = false
  const { client } = await setUp(async (_, signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    left = signal.aborted
    return answer
  }, 200)
  await expect(client.scan(sent(Buffer.from('a')))).rejects.toMatchObject({ kind: 'unavailable' })
  await eventually(async () => expect(left).toBe(true))
})
