import { experts } from '@caseway/kit/caller'
import { action, ok, type Routes, resourceRoutes } from '@caseway/kit/http'
import { webhookDeliveryResource } from './webhook-delivery.resource.js'
import type { WebhookDeliveryService } from './webhook-delivery.service.js'

export const webhookDeliveryRoutes = ({ list, get, replay }: WebhookDeliveryService): Routes => [
  resourceRoutes(webhookDeliveryResource, { list, get }),
  action(
    webhookDeliveryResource,
    {
      ...{ method: 'POST', path: ':id/replay', operationId: 'replayWebhookDelivery' },
      summary: 'Sends the event again, as it was sent before.',
      ...{ roles: experts, right: webhookDeliveryResource.right, answers: { 200: ok } },
    },
    ({ caller, id }) => replay(caller, id),
  ),
]
