import type { AuditEvent } from '@caseway/kit/audit'
import { platform, resourceReads } from '@caseway/kit/database'
import { once } from '@caseway/kit/events'
import type { Db, Tx } from '../database.js'
import { keptDetails } from './audit-event.js'
import { auditEventResource } from './audit-event.resource.js'

const insert = (tx: Tx, event: AuditEvent, created = new Date()) => {
  const { customerId = null, kind, actor, subject, address, requestId } = event
  const details = JSON.stringify(keptDetails(event))
  return tx.$executeRaw`
    INSERT INTO audit_events (customer_id, kind, actor, subject, address, request_id, details, created)
    VALUES (${customerId}, ${kind}, ${actor || null}, ${subject || null}, ${address || null}, ${requestId || null}, ${details}::jsonb, ${created})`
}

/** Rows are of offices, of the installation, and of clients of several offices: the platform writes them. */
export const auditEventRepository = (db: Db) => {
  const { list, get } = resourceReads(db, auditEventResource)
  return {
    list,
    get,

    /** Joins the transaction of the change, if there is one. */
    add: (event: AuditEvent): Promise<unknown> => db.write(platform, (tx) => insert(tx, event)),

    /** One of another service. */
    take: (event: AuditEvent, { consumer, id, time }: { consumer: string; id: string; time: Date }): Promise<void> =>
      db.write(platform, async (tx) => {
        if (await once(tx, consumer, id)) await insert(tx, event, time)
      }),
  }
}

export type AuditEventRepository = ReturnType<typeof auditEventRepository>
