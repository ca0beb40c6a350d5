import { object } from '@caseway/kit/resource'
import { type WebhookRecord, webhookRecords } from './event-type.js'

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } })

const signed = [
  header('webhook-id', 'The same for every attempt; an event that was received before can be ignored.'),
  header('webhook-timestamp', 'When the attempt was sent, in seconds since the epoch.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by dots; one signature for each secret, separated by spaces.',
  ),
]

/** The OpenAPI path item of one type of event. */
const sent = (type: string, summary: string, data: object, refused: string) => {
  const payload = object({
    type: { const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.' },
    data,
  })
  const post = {
    ...{ operationId: type, tags: ['Webhook'], summary, parameters: signed, security: [] },
    requestBody: { required: true, content: { 'application/json': { schema: payload } } },
    responses: { '2XX': { description: 'The event was accepted.' }, default: { description: refused } },
  }
  return [type, { post }] as const
}

const idAlone = (resource: string) =>
  object({ [resource]: { ...object({ id: { type: ['string', 'integer'] } }), additionalProperties: false } })

/** A reference to the schema of a record in the document of its owner. The gateway resolves it in the merged document. */
const shownBy = (owner: string, resource: string) => object({ [resource]: { $ref: `${owner}#/components/schemas/${resource}` } })

const eventsOf = ({ owner, resource, events }: WebhookRecord, path: string) => {
  const description = 'The answer of GET for the record when the event is first sent; only the id if the record no longer exists.'
  const data = { description, anyOf: [shownBy(owner, resource), idAlone(resource)] }
  return Object.entries(events).map(([event, summary]) => sent(`${path}.${event}`, summary, data, 'The event is sent again.'))
}

/** `POST /rest/webhook/{id}/test` sends it. */
const test = sent(
  'webhook.test',
  'An employee tests the webhook.',
  idAlone('Webhook'),
  'The failure is shown to the employee. The event is not sent again.',
)

/** The `webhooks` of the OpenAPI 3.1 document. */
export const webhookDocument = Object.fromEntries([
  ...Object.entries(webhookRecords).flatMap(([path, record]) => eventsOf(record, path)),
  test,
])
