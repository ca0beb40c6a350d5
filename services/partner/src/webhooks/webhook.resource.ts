import { experts } from '@caseway/kit/caller'
import { flagText, idText, line, nullable, required, timestamp, webAddress, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'
import { webhookEvents } from './webhook-events.field.js'

const few = 'An office has at most 20 webhooks.'

export const webhookResource = defineResource({
  name: 'Webhook',
  path: 'webhook',
  table: 'webhooks',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: idText,
    url: required(webAddress),
    events: required(webhookEvents),
    active: writable(flagText),
    description: writable(nullable(line({ max: 255 }))),
    failing_since: nullable(timestamp),
    last_error: nullable(line({ max: 32 })),
    disabled_at: nullable(timestamp),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['active'],
  sort: ['id', 'modified'],
  unindexed: { active: few },
  right: 'integrations.manage',
  readRight: 'integrations.manage',
  roles: { read: experts, create: experts, update: experts, remove: experts },
})

export type NewWebhook = InputOf<typeof webhookResource>
export type WebhookChanges = ChangesOf<typeof webhookResource>
