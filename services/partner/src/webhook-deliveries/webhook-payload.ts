import { recordOf } from '../webhook-events/event-type.js'
import type { PendingDelivery } from './webhook-delivery.js'

/**
 * The body of a delivery: JSON in the structure of the Standard Webhooks specification.
 * @param shown the JSON of the record in its wrapper; undefined where it was deleted, so that only the id is sent
 */
export function payloadOf({ eventType, eventTime, subject }: PendingDelivery, shown: string | undefined): string {
  const { record, id } = recordOf(subject)
  const data = shown ?? JSON.stringify({ [record.resource]: { id: String(id) } })
  return `{"type":${JSON.stringify(eventType)},"timestamp":"${eventTime.toISOString()}","data":${data}}`
}
