import { type OnRefused, resourceRoutes } from '@caseway/kit/http'
import type { Logger, Metrics } from '@caseway/kit/observability'
import { type PurgeRule, purge } from '@caseway/kit/purge'
import type { Db } from '../database.js'
import { auditEventConsumer } from './audit-event.consumer.js'
import { auditEventRepository } from './audit-event.repository.js'
import { auditEventResource } from './audit-event.resource.js'
import { auditEventService } from './audit-event.service.js'

const dayMs = 86_400_000

interface Dependencies {
  readonly log: Logger
  readonly metrics: Metrics
  /** The time zone in which the purge runs at night. */
  readonly zone: string
}

/** A leap year: the trigger of the table refuses to delete younger rows. */
const rules: readonly PurgeRule[] = [{ table: 'audit_events', column: 'created', keepMs: 366 * dayMs }]

/** The audit trail of the installation. */
export function wireAudit(db: Db, { log, metrics, zone }: Dependencies) {
  const audit = auditEventService(auditEventRepository(db), log)
  const onRefused: OnRefused = ({ method, route }) => audit.record({ kind: 'right.refused', details: { method, route } })
  return {
    audit,
    onRefused,
    routes: resourceRoutes(auditEventResource, { list: audit.list, get: audit.get }),
    consumer: auditEventConsumer(audit),
    job: purge({ db, rules, log, metrics, name: 'audit-retention', when: { cron: '15 3 * * *', zone } }),
  }
}
