import { type AuditEvent, auditEvent } from '@caseway/kit/audit'
import type { Logger } from '@caseway/kit/observability'
import type { Entry } from './audit-event.js'
import type { AuditEventRepository } from './audit-event.repository.js'

/** The audit trail: who did what to whom, and from where. It is append-only. */
export const auditEventService = ({ add, take, ...events }: AuditEventRepository, log: Logger) => {
  const show = ({ kind, actor, subject, address, customerId }: AuditEvent) => {
    const office = customerId === undefined ? {} : { office: String(customerId) }
    log.info({ audit: kind, actor, subject, address, ...office }, 'audit')
  }
  return {
    ...events,

    /**
     * Adds an entry in the running transaction, so that the change and its entry are one; without a running one, in a transaction of its own. Caller,
     * office, address and request id come from the running request unless the entry contains others.
     */
    async record(entry: Entry): Promise<void> {
      const event = auditEvent(entry)
      await add(event)
      show(event)
    },

    /** Adds an entry that another service has published. */
    async take(event: AuditEvent, from: { consumer: string; id: string; time: Date }): Promise<void> {
      await take(event, from)
      show(event)
    },
  }
}

export type AuditEventService = ReturnType<typeof auditEventService>
/** The part of the audit trail that other modules use. */
export type Audit = Pick<AuditEventService, 'record'>
