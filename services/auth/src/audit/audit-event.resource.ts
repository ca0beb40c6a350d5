import { choice, idText, line, nullable, timestamp } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import { auditKinds } from './audit-event.js'

/** The audit trail of an office. `modified` equals `created`, because a row never changes. */
export const auditEventResource = defineResource({
  name: 'AuditEvent',
  path: 'audit_event',
  table: 'audit_trail',
  fields: {
    id: idText,
    customer_id: idText,
    kind: { ...choice(...auditKinds), output: { type: 'string' } },
    actor: nullable(line({ max: 100 })),
    subject: nullable(line({ max: 200 })),
    address: nullable(line({ max: 100 })),
    request_id: nullable(line({ max: 128 })),
    details: line({ max: 10_000 }),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['kind', 'actor', 'subject', 'request_id'],
  sort: ['id', 'modified'],
  roles: { read: ['administrator'] },
})
