import type { WebhookDeliveryRepository } from './webhook-delivery.repository.js'

/** What an office does with what was sent. */
export const webhookDeliveryService = ({ list, get, replay }: WebhookDeliveryRepository) => ({ list, get, replay })

export type WebhookDeliveryService = ReturnType<typeof webhookDeliveryService>
