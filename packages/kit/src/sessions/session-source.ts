import { SessionServiceClient } from '@caseway/protos/auth/v1/sessions'
import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '../grpc/index.js'

export interface EndedSession {
  readonly sessionId: string
  /** When the last access token of the session expires. */
  readonly endsAt: Date
}

/** A source of all ended sessions with access tokens that may not have expired yet. */
export interface SessionSource {
  pages(): AsyncIterable<readonly EndedSession[]>
  close(): void
}

const pageSize = 1000

/** The source of auth's `SessionService`. `pages` throws AppError `unavailable` where auth does not answer. */
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
