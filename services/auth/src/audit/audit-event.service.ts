import { type AuditEvent, auditEvent } from '@caseway/kit/audit'
import type { Logger } from '@caseway/kit/observability'
import type { Entry } from './audit-event.js'
import type { AuditEventRepository } from './audit-event.repository.js'

/** What happened that matters to security: who did what to whom, from where. Rows are added and never changed. */
export const auditEventService = ({ add, take, ...events }: AuditEventRepository, log: Logger) => {
  const show = ({ kind, actor, subject, address, customerId }: AuditEvent) => {
    const office = customerId === undefined ? {} : { office: String(customerId) }
    log.info({ audit: kind, actor, subject, address, ...office }, 'audit')
  }
  return {
    ...events,

    /**
     * Adds an entry in the transaction that is running, so that there is both the change and its entry or none; where none is running, in
     * one of its own. Caller, office, address and request id come from the running request unless the entry names others.
     */
    async record(entry: Entry): Promise<void> {
      const event = auditEvent(entry)
      await add(event)
      show(event)
    },

    /** Keeps what another service published. */
    async take(event: AuditEvent, from: { consumer: string; id: string; time: Date }): Promise<void> {
      await take(event, from)
      show(event)
    },
  }
}

export type AuditEventService = ReturnType<typeof auditEventService>
/** What other modules need of the trail. */
export type Audit = Pick<AuditEventService, 'record'>
