import { recordOf } from '../webhook-events/event-type.js'
import type { PendingDelivery } from './webhook-delivery.js'

/**
 * The JSON that is sent, in the structure of the Standard Webhooks specification.
 * @param record JSON of the record in its wrapper; undefined for one that is gone, of which the id alone is told
 */
export function payloadOf({ eventType, eventTime, subject }: PendingDelivery, record: string | undefined): string {
  const { told, id } = recordOf(subject)
  const data = record ?? JSON.stringify({ [told.resource]: { id: String(id) } })
  return `{"type":${JSON.stringify(eventType)},"timestamp":"${eventTime.toISOString()}","data":${data}}`
}
