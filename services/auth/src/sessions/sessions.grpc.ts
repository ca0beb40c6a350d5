import { unary } from '@caseway/kit/grpc'
import type { SessionServiceServer } from '@caseway/protos/auth/v1/sessions'
import type { SessionService } from './session.service.js'

export const sessionsGrpc = (sessions: SessionService): SessionServiceServer => ({
  listEndedSessions: unary(async ({ after, limit }) => ({ sessions: await sessions.ended(after, limit) })),
})
