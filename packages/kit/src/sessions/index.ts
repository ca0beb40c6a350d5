export { type EndedSessions, type EndedSessionsOptions, endedSessions } from './ended-sessions.js'
export { type FollowedSessions, type FollowOptions, followEndedSessions } from './follow-ended-sessions.js'
export { sessionConsumer } from './session-events.js'
export { authSessions, type EndedSession, type SessionSource } from './session-source.js'
