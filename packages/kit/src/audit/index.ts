import type { AuditEvent } from '@caseway/protos/audit/v1/events'
import { auditTopic } from '@caseway/protos/topics'
import { type Id, type Subject, subjectKey, subjectOf } from '../caller/index.js'
import { type Database, platform } from '../database/index.js'
import { outbox, type RawTransaction } from '../events/index.js'
import type { OnRefused } from '../http/index.js'
import { requestContext } from '../observability/index.js'

export type { AuditEvent } from '@caseway/protos/audit/v1/events'

/** Something that matters to security. What is left out comes from the running request. */
export interface AuditEntry<Kind extends string = string, Detail extends string = string> {
  /** What happened, dotted: `password.changed`. */
  readonly kind: Kind
  /** The office in whose trail it is, null for the installation. Default: the caller's. */
  readonly customerId?: Id | null
  /** Default: the caller, if there is one; outside of a request the command line. */
  readonly actor?: Subject | 'command line' | null
  /** What it was done to. */
  readonly subject?: { readonly kind: string; readonly id: Id | string }
  /** Never a secret, and nothing that people wrote. */
  readonly details?: Readonly<Partial<Record<Detail, string>>>
}

/** The event of an entry: the caller, the address and the id of the running request stand in for what the entry leaves out. */
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

/** Publishes an entry of the audit trail with the change that it is about: in the transaction of `db.write`. See `outbox`. */
export const publishAudit = (tx: RawTransaction, entry: AuditEntry): Promise<void> => outbox(tx, auditTopic, auditEvent(entry))

/** Publishes each refusal of a service, in a transaction of its own: `onRefused` of `createHttpApp`. */
export const publishRefusals =
  (db: Database<unknown>): OnRefused =>
  ({ method, route }) =>
    db.write(platform, (tx) => publishAudit(tx, { kind: 'right.refused', details: { method, route } }))
