import type { AuditEntry, AuditEvent } from '@caseway/kit/audit'

/** The kinds of entries, of all services. */
export const auditKinds = [
  'session.started',
  'session.refused',
  'session.ended',
  'session.stolen',
  'password.changed',
  'password.refused',
  'second_factor.begun',
  'second_factor.enabled',
  'second_factor.disabled',
  'second_factor.reset',
  'second_factor.refused',
  'recovery_codes.renewed',
  'right.changed',
  'right.refused',
  'role.created',
  'role.changed',
  'role.deleted',
  'user.created',
  'user.changed',
  'client.created',
  'client.changed',
  'client.erased',
  'link.changed',
  'office.created',
  'office.imported',
  'office.changed',
  'office.closed',
  'office.reopened',
  'office.deleted',
  'application.created',
  'application.changed',
  'application.deleted',
  'key.rotated',
  'issue.deleted',
  'company_card.reviewed',
  'integration.created',
  'integration.completed',
  'integration.changed',
  'integration.broken',
  'integration.deleted',
  'integration.refused',
] as const
export type AuditKind = (typeof auditKinds)[number]

/** The keys that details may have. Their values contain no secrets and no texts that people wrote. */
const detailKeys = [
  'reason',
  'method',
  'route',
  'grant_type',
  'second_factor',
  'fields',
  'user_role_id',
  'base_role',
  'allowed',
  'denied',
  'state',
  'banned',
  'number',
  'sessions',
] as const
type DetailKey = (typeof detailKeys)[number]

export type Entry = AuditEntry<AuditKind, DetailKey>

const maxDetail = 500

/** Keeps the known details, each cut to the maximum length, whichever service publishes the event. */
export const storedDetails = ({ details }: Pick<AuditEvent, 'details'>): Record<string, string> =>
  Object.fromEntries(detailKeys.flatMap((key) => (Object.hasOwn(details, key) ? [[key, String(details[key]).slice(0, maxDetail)]] : [])))
