import type { WebhookDeliveryRepository } from './webhook-delivery.repository.js'

/** Deliveries of webhooks, for the employees of an office. */
export const webhookDeliveryService = ({ list, get, replay }: WebhookDeliveryRepository) => ({ list, get, replay })

export type WebhookDeliveryService = ReturnType<typeof webhookDeliveryService>
