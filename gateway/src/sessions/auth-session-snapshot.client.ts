import { createGrpcClient } from '@caseway/kit/grpc'
import { SessionServiceClient } from '@caseway/protos/auth/v1/sessions'
import type { SessionSnapshot } from './session-snapshot.js'

const pageSize = 1000

/** auth over gRPC. */
export function authSessionSnapshot(address: string): SessionSnapshot {
  const auth = createGrpcClient(SessionServiceClient, address)

  return {
    async *pages() {
      let { sessions } = await auth.listEndedSessions({ after: '', limit: pageSize })
      for (let last = sessions.at(-1); last; last = sessions.at(-1)) {
        yield sessions.map(({ sessionId, endsAt = new Date(0) }) => ({ sessionId, endsAt }))
        sessions = (await auth.listEndedSessions({ after: last.sessionId, limit: pageSize })).sessions
      }
    },
    close: () => auth.close(),
  }
}
