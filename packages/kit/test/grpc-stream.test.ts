import { AppError, conflict } from '@caseway/kit/errors'
import { createGrpcClient, serverStream, startGrpcServer } from '@caseway/kit/grpc'
import { createLog, createMetrics } from '@caseway/kit/observability'
import {
  ContentServiceClient,
  ContentServiceService,
  type ReadContentRequest,
  type ReadContentResponse,
} from '@caseway/protos/files/v1/contents'
import { eventually } from '@caseway/testing/eventually'
import { ChannelCredentials } from '@grpc/grpc-js'
import { afterEach, expect, it } from '@jest/globals'
import { freePort } from './support/people-server.js'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

type Read = (request: ReadContentRequest) => AsyncIterable<ReadContentResponse>

const query = { customerId: 1n, commonFileId: 2n }
const method = '/caseway.files.v1.ContentService/ReadContent'
const chunk = (bytes: Buffer): ReadContentResponse => ({ part: { $case: 'chunk', value: bytes } })

function connect(port: number, deadlineMs = 5_000) {
  const plain = { serverName: 'files', credentials: ChannelCredentials.createInsecure() }
  const client = createGrpcClient(ContentServiceClient, { address: `127.0.0.1:${port}`, ...plain, deadlineMs })
  cleanUps.push(() => client.close())
  return client
}

async function setUp(read: Read, deadlineMs?: number) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const metrics = createMetrics('test')
  const services = [[ContentServiceService, { readContent: serverStream(read) }]] as const
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

async function bytesOf(messages: AsyncIterable<ReadContentResponse>): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const { part } of messages) if (part?.$case === 'chunk') found.push(part.value)
  return found
}

it('delivers all messages in order', async () => {
  const sent = Array.from({ length: 100 }, (_, i) => Buffer.alloc(65_536, i))
  const { client, ended } = await setUp(async function* () {
    for (const bytes of sent) yield chunk(bytes)
  }, 60_000)
  expect(Buffer.concat(await bytesOf(client.readContent(query))).equals(Buffer.concat(sent))).toBe(true)
  await ended('OK')
})

it('throws the error of the server, before the first message and after some', async () => {
  const thrown = conflict('FILE_NOT_CLEAN', 'Not clean.')
  for (const count of [0, 3]) {
    const { client, ended } = await setUp(async function* () {
      for (let i = 0; i < count; i++) yield chunk(Buffer.from('a'))
      throw thrown
    })
    const seen: unknown[] = []
    const read = async () => {
      for await (const message of client.readContent(query)) seen.push(message)
    }
    await expect(read()).rejects.toMatchObject({ kind: 'conflict', code: 'FILE_NOT_CLEAN', message: 'Not clean.' })
    expect(seen).toHaveLength(count)
    await ended('FAILED_PRECONDITION')
  }
})

it('reveals nothing of an internal error, which the server logs', async () => {
  // biome-ignore lint/correctness/useYield: It fails before there is anything.
  const { client, lines } = await setUp(async function* () {
    throw new TypeError('canary')
  })
  const error = await bytesOf(client.readContent(query)).catch((caught: unknown) => caught)
  expect(error).not.toBeInstanceOf(AppError)
  expect(String(error)).not.toContain('canary')
  expect(lines).toMatchObject([{ level: 'error', method, err: { message: 'canary' } }])
})

it('advances only as fast as it is read, and ends when the reader leaves', async () => {
  let sent = 0
  let ended = false
  const server = await setUp(async function* () {
    try {
      for (; sent < 10_000; sent++) yield chunk(Buffer.alloc(65_536))
    } finally {
      ended = true
    }
  })
  for await (const _ of server.client.readContent(query)) break
  await eventually(async () => expect(ended).toBe(true))
  expect(sent).toBeLessThan(1_000)
  await server.ended('CANCELLED')
})

it('ends with the next message where the server was busy when the reader left', async () => {
  let release: () => void = () => undefined
  let ended = false
  const server = await setUp(async function* () {
    try {
      for (;;) {
        yield chunk(Buffer.from('a'))
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
    } finally {
      ended = true
    }
  })
  for await (const _ of server.client.readContent(query)) break
  await eventually(async () => {
    release()
    expect(ended).toBe(true)
  })
  await server.ended('CANCELLED')
})

it('is unavailable where no server listens, and after its deadline', async () => {
  const nobody = connect(await freePort())
  await expect(bytesOf(nobody.readContent(query))).rejects.toMatchObject({ kind: 'unavailable' })
  const { client } = await setUp(async function* () {
    yield chunk(Buffer.from('a'))
    await new Promise(() => undefined)
  }, 200)
  await expect(bytesOf(client.readContent(query))).rejects.toMatchObject({ kind: 'unavailable' })
})
