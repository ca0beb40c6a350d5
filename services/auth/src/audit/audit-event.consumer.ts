import { consumer } from '@caseway/kit/events'
import { auditTopic } from '@caseway/protos/topics'
import type { AuditEventService } from './audit-event.service.js'

export const auditEventConsumer = ({ take }: Pick<AuditEventService, 'take'>) =>
  consumer(auditTopic, (event, { id, time }) => take(event, { consumer: auditTopic.name, id, time }))
