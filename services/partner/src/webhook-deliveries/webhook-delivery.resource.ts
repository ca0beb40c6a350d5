import { experts } from '@caseway/kit/caller'
import { choice, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'

/** One event for one webhook. Neither the body that was sent nor the answer is shown. */
export const webhookDeliveryResource = defineResource({
  name: 'WebhookDelivery',
  path: 'webhook_delivery',
  table: 'webhook_deliveries',
  fields: {
    id: idText,
    customer_id: idText,
    webhook_id: idText,
    event_id: line({ max: 64 }),
    event_type: line({ max: 64 }),
    subject: line({ max: 64 }),
    status: choice('pending', 'delivered', 'failed'),
    tries: integerText({ min: 0, max: 1000 }),
    status_code: nullable(integerText({ min: 100, max: 999 })),
    last_error: nullable(line({ max: 32 })),
    next_try: nullable(timestamp),
    delivered: nullable(timestamp),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['webhook_id', 'status'],
  sort: ['id'],
  defaultSort: '-id',
  right: 'integrations.manage',
  readRight: 'integrations.manage',
  roles: { read: experts },
})
