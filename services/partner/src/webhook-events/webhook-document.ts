import { object } from '@caseway/kit/resource'
import { type ToldRecord, toldRecords } from './event-type.js'

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } })

const signed = [
  header('webhook-id', 'The same at every try: what has come before may be left out.'),
  header('webhook-timestamp', 'When it was sent, in seconds since the epoch.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, divided by dots; one for each secret, divided by spaces.',
  ),
]

/** The OpenAPI path item of one type of event. */
const sent = (type: string, summary: string, data: object, refused: string) => {
  const payload = object({
    type: { const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    data,
  })
  const post = {
    ...{ operationId: type, tags: ['Webhook'], summary, parameters: signed, security: [] },
    requestBody: { required: true, content: { 'application/json': { schema: payload } } },
    responses: { '2XX': { description: 'It was accepted.' }, default: { description: refused } },
  }
  return [type, { post }] as const
}

const idAlone = (resource: string) =>
  object({ [resource]: { ...object({ id: { type: ['string', 'integer'] } }), additionalProperties: false } })

/** A reference to the schema of a record in the document of its owner. The gateway resolves it in the merged document. */
const shownBy = (owner: string, resource: string) => object({ [resource]: { $ref: `${owner}#/components/schemas/${resource}` } })

const told = ({ owner, resource, happenings }: ToldRecord, path: string) => {
  const description = 'The record, and what is beside it, as GET shows it when the event is first tried; the id alone of one that is gone.'
  const data = { description, anyOf: [shownBy(owner, resource), idAlone(resource)] }
  return Object.entries(happenings).map(([happening, summary]) => sent(`${path}.${happening}`, summary, data, 'It is sent again.'))
}

/** `POST /rest/webhook/{id}/test` sends it. */
const test = sent('webhook.test', 'Somebody tries the webhook.', idAlone('Webhook'), 'Whoever tries it is told. It is not sent again.')

/** The `webhooks` of the OpenAPI 3.1 document. */
export const webhookDocument = Object.fromEntries([...Object.entries(toldRecords).flatMap(([path, record]) => told(record, path)), test])
