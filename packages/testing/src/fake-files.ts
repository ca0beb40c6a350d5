import type { Id } from '@caseway/kit/caller'
import { conflict, notFound } from '@caseway/kit/errors'
import { clientStream, type RunningGrpcServer, serverStream, startGrpcServer, unary } from '@caseway/kit/grpc'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { ContentServiceService } from '@caseway/protos/files/v1/contents'
import { FileEvent, ScanStatus } from '@caseway/protos/files/v1/events'
import { type ScanRequest, ScanServiceService } from '@caseway/protos/files/v1/scans'
import { SnapshotServiceService } from '@caseway/protos/files/v1/snapshot'
import { randomId } from './ids.js'

/** A fake of the service files: a real gRPC server with the files that the test adds. */
export interface FakeFiles {
  address: string
  files: FileEvent[]
  /** The bytes of the files, by id. */
  contents: Map<Id, Uint8Array>
  /** The result of a virus scan; by default nothing is found. */
  scan(bytes: Buffer): Promise<{ status: ScanStatus; error?: string }>
  stop(): Promise<void>
}

export const file = (fields: { customerId: Id } & Partial<FileEvent>): FileEvent =>
  FileEvent.fromPartial({
    ...{ id: randomId(), name: 'letter.txt', filename: 'letter.txt', mime: 'text/plain', sizeBytes: 8n, scanStatus: ScanStatus.OK },
    ...{ created: new Date('2026-01-15T08:00:00Z'), modified: new Date('2026-01-15T09:00:00Z'), revision: 1n },
    ...fields,
  })

/** A link between a file and an object. */
export const attachment = (objectId: Id | number, objectName = 'IssueSentence') => ({
  id: randomId(),
  objectName,
  objectId: BigInt(objectId),
})

const chunkBytes = 65_536

export async function fakeFiles(): Promise<FakeFiles> {
  const fake: Pick<FakeFiles, 'files' | 'contents' | 'scan'> = {
    files: [],
    contents: new Map(),
    scan: async () => ({ status: ScanStatus.OK }),
  }
  const listFiles = unary(async ({ after, limit }: { after: Id; limit: number }) => ({
    files: fake.files
      .filter(({ id }) => id > after)
      .sort((a, b) => Number(a.id - b.id))
      .slice(0, limit),
  }))
  const readContent = serverStream(async function* ({ customerId, commonFileId }: { customerId: Id; commonFileId: Id }) {
    const found = fake.files.find((file) => file.id === commonFileId && file.customerId === customerId)
    if (!found) throw notFound()
    if (found.scanStatus !== ScanStatus.OK) throw conflict('FILE_NOT_CLEAN', 'The file has not passed the virus scan.')
    const bytes = fake.contents.get(commonFileId) ?? new Uint8Array(Number(found.sizeBytes))
    yield { part: { $case: 'head' as const, value: { name: found.name, mime: found.mime, sizeBytes: BigInt(bytes.length) } } }
    for (let at = 0; at < bytes.length; at += chunkBytes)
      yield { part: { $case: 'chunk' as const, value: Buffer.from(bytes.subarray(at, at + chunkBytes)) } }
  })
  const scan = clientStream(async (requests: AsyncIterable<ScanRequest>) => {
    const chunks: Buffer[] = []
    for await (const { chunk } of requests) chunks.push(chunk)
    return { error: '', ...(await fake.scan(Buffer.concat(chunks))) }
  })
  const server: RunningGrpcServer = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      [SnapshotServiceService, { listFiles }],
      [ContentServiceService, { readContent }],
      [ScanServiceService, { scan }],
    ],
    security: 'plaintext',
    callers: [],
    log: createLog({ service: 'fake-files', level: 'silent' }),
    metrics: createMetrics('fake-files'),
    drainMs: 100,
  })
  return Object.assign(fake, { address: `127.0.0.1:${server.port}`, stop: () => server.stop() })
}
