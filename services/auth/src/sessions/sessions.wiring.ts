import { SessionServiceService } from '@caseway/protos/auth/v1/sessions'
import type { Db } from '../database.js'
import { sessionRepository } from './session.repository.js'
import { sessionService } from './session.service.js'
import { sessionRetention } from './session-retention.js'
import { sessionsGrpc } from './sessions.grpc.js'

/** The sessions of people and applications. */
export function wireSessions(db: Db, accessTokenMs: number) {
  const sessions = sessionService(sessionRepository(db, accessTokenMs))
  return { sessions, grpc: [SessionServiceService, sessionsGrpc(sessions)] as const, retention: sessionRetention(accessTokenMs) }
}
