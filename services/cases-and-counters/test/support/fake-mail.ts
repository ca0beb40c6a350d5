import type { Id } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import { startGrpcServer, unary } from '@caseway/kit/grpc'
import { createLog, createMetrics } from '@caseway/kit/observability'
import type { FolderCountEvent } from '@caseway/protos/mail/v1/events'
import { MessageServiceService } from '@caseway/protos/mail/v1/messages'
import { type ListFolderCountsRequest, SnapshotServiceService } from '@caseway/protos/mail/v1/snapshot'

type Kind = 'received' | 'sent'

/** A fake of the mail service: a real gRPC server that shows messages to the people whom the test names, and counts of folders. */
export interface FakeMail {
  readonly address: string
  /** Whether it is unavailable. */
  away: boolean
  /** The counts of its snapshot. */
  counts: FolderCountEvent[]
  show(kind: Kind, id: Id, record: object, ...userIds: Id[]): void
  stop(): Promise<void>
}

export async function fakeMail(): Promise<FakeMail> {
  const records = new Map<string, string>()
  const key = (userId: Id, kind: Kind, id: Id) => `${userId} ${kind} ${id}`
  const fake = { away: false, counts: [] as FolderCountEvent[] }
  const getMessages = unary(async ({ userId, receivedIds, sentIds }: { userId: Id; receivedIds: Id[]; sentIds: Id[] }) => {
    if (fake.away) throw unavailable()
    const keys = [...receivedIds.map((id) => key(userId, 'received', id)), ...sentIds.map((id) => key(userId, 'sent', id))]
    return { records: keys.flatMap((one) => records.get(one) ?? []) }
  })
  const listFolderCounts = unary(async ({ after }: ListFolderCountsRequest) => ({ counts: after ? [] : fake.counts }))
  const server = await startGrpcServer({
    ...{ host: '127.0.0.1', port: 0, security: 'plaintext', callers: [] },
    services: [
      [MessageServiceService, { getMessages }],
      [SnapshotServiceService, { listFolderCounts }],
    ],
    ...{ log: createLog({ service: 'fake-mail', level: 'silent' }), metrics: createMetrics('fake-mail'), drainMs: 100 },
  })
  return Object.assign(fake, {
    address: `127.0.0.1:${server.port}`,
    show(kind: Kind, id: Id, record: object, ...userIds: Id[]) {
      for (const userId of userIds) records.set(key(userId, kind, id), JSON.stringify(record))
    },
    stop: () => server.stop(),
  })
}
