import { startGrpcServer, unary } from '@caseway/kit/grpc'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { type EndedSession, SessionServiceService } from '@caseway/protos/auth/v1/sessions'

/** A fake of auth over gRPC, with a list of ended sessions. */
export interface FakeSessions {
  address: string
  ended: EndedSession[]
  /** The session after which each requested page begins. */
  cursors: string[]
  stop(): Promise<void>
}

export async function fakeSessions({ port = 0, pageSize = 1000 }: { port?: number; pageSize?: number } = {}): Promise<FakeSessions> {
  const sessions = { ended: [] as EndedSession[], cursors: [] as string[] }
  const listEndedSessions = unary(async ({ after, limit }: { after: string; limit: number }) => {
    sessions.cursors.push(after)
    const rest = sessions.ended.filter(({ sessionId }) => sessionId > after).sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1))
    return { sessions: rest.slice(0, Math.min(limit, pageSize)) }
  })
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port,
    services: [[SessionServiceService, { listEndedSessions }]],
    security: 'plaintext',
    callers: [],
    log: createLog({ service: 'fake-auth', level: 'silent' }),
    metrics: createMetrics('fake-auth'),
    drainMs: 100,
  })
  return Object.assign(sessions, { address: `127.0.0.1:${server.port}`, stop: () => server.stop() })
}
