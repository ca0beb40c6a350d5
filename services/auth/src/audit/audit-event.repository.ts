import type { AuditEvent } from '@caseway/kit/audit'
import { platform, resourceReads } from '@caseway/kit/database'
import { once } from '@caseway/kit/events'
import type { Db, Tx } from '../database.js'
import { storedDetails } from './audit-event.js'
import { auditEventResource } from './audit-event.resource.js'

const insert = (tx: Tx, event: AuditEvent, created = new Date()) => {
  const { customerId = null, kind, actor, subject, address, requestId } = event
  const details = JSON.stringify(storedDetails(event))
  return tx.$executeRaw`
    INSERT INTO audit_events (customer_id, kind, actor, subject, address, request_id, details, created)
    VALUES (${customerId}, ${kind}, ${actor || null}, ${subject || null}, ${address || null}, ${requestId || null}, ${details}::jsonb, ${created})`
}

/** Writes in the scope of the platform, because an entry may belong to an office, to the installation, or to a client of several offices. */
export const auditEventRepository = (db: Db) => {
  const { list, get } = resourceReads(db, auditEventResource)
  return {
    list,
    get,

    /** Adds an entry; joins the running transaction, if there is one. */
    add: (event: AuditEvent): Promise<unknown> => db.write(platform, (tx) => insert(tx, event)),

    /** Adds an entry that another service has published, once. */
    take: (event: AuditEvent, { consumer, id, time }: { consumer: string; id: string; time: Date }): Promise<void> =>
      db.write(platform, async (tx) => {
        if (await once(tx, consumer, id)) await insert(tx, event, time)
      }),
  }
}

export type AuditEventRepository = ReturnType<typeof auditEventRepository>
