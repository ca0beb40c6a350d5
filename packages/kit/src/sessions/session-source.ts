import { SessionServiceClient } from '@caseway/protos/auth/v1/sessions'
import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '../grpc/index.js'

export interface EndedSession {
  readonly sessionId: string
  /** When the last access token of the session expires by itself. */
  readonly endsAt: Date
}

/** Where all sessions are known that have ended while an access token of theirs may still be unexpired. */
export interface SessionSource {
  pages(): AsyncIterable<readonly EndedSession[]>
  close(): void
}

const pageSize = 1000

/** The `SessionService` of auth. `pages` throws `unavailable` when auth does not answer. */
export function authSessions({ address, security, log }: GrpcEndpoint): SessionSource {
  const auth = createGrpcClient(SessionServiceClient, { address, serverName: 'auth', credentials: channelCredentials(security, log) })

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
