import type { AuditEvent } from '@caseway/protos/audit/v1/events'
import { auditTopic } from '@caseway/protos/topics'
import { type Id, type Subject, subjectKey, subjectOf } from '../caller/index.js'
import { type Database, platform } from '../database/index.js'
import { outbox, type RawTransaction } from '../events/index.js'
import type { OnRefused } from '../http/index.js'
import { requestContext } from '../observability/index.js'

export type { AuditEvent } from '@caseway/protos/audit/v1/events'

/** An entry of the audit trail. The optional fields default to those of the running request. */
export interface AuditEntry<Kind extends string = string, Detail extends string = string> {
  /** What happened, dotted: `password.changed`. */
  readonly kind: Kind
  /** The office whose trail it belongs to; null for that of the installation. Default: the caller's office. */
  readonly customerId?: Id | null
  /** Who did it. Default: the caller of the request, null where that has none; outside of a request `command line`. */
  readonly actor?: Subject | 'command line' | null
  /** The record that was acted on. */
  readonly subject?: { readonly kind: string; readonly id: Id | string }
  /** Must contain no secret and no text that a person wrote. */
  readonly details?: Readonly<Partial<Record<Detail, string>>>
}

/** The event that publishes an entry, with the caller, the address and the id of the running request. */
export function auditEvent({ kind, customerId, actor, subject, details = {} }: AuditEntry): AuditEvent {
  const request = requestContext.get()
  const { caller, address = '', requestId = '' } = request ?? {}
  const office = customerId === undefined ? caller?.customerId : customerId
  const by = actor === undefined ? (request ? caller && subjectOf(caller) : 'command line') : actor
  return {
    customerId: office ?? undefined,
    kind,
    actor: by ? (by === 'command line' ? by : subjectKey(by)) : '',
    subject: subject ? `${subject.kind}:${subject.id}` : '',
    address,
    requestId,
    details: Object.fromEntries(Object.entries(details).filter((detail): detail is [string, string] => detail[1] !== undefined)),
  }
}

/** Publishes an entry of the audit trail in the transaction of the change that it records. See `outbox`. */
export const publishAudit = (tx: RawTransaction, entry: AuditEntry): Promise<void> => outbox(tx, auditTopic, auditEvent(entry))

/** An `onRefused` for `createHttpApp`: publishes each refusal to the audit trail, in a transaction of its own. */
export const publishRefusals =
  (db: Database<unknown>): OnRefused =>
  ({ method, route }) =>
    db.write(platform, (tx) => publishAudit(tx, { kind: 'right.refused', details: { method, route } }))
