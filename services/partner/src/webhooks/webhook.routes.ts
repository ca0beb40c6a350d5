import { experts } from '@caseway/kit/caller'
import { FieldError } from '@caseway/kit/fields'
import { action, answerCreated, type Routes, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import type { Sealer } from '@caseway/kit/secrets'
import Type from 'typebox'
import { webhookResource } from './webhook.resource.js'
import type { WebhookService } from './webhook.service.js'

const { url, events, active, description } = webhookResource.fields

const secret = Type.String({ description: '`whsec_` and base64. It is not shown again.' })
const created = Type.Object({ id: Type.Integer(), secret }, { description: 'Created.' })
const replaced = Type.Object({ secret }, { description: 'The new secret. For 24 hours, events are signed with the previous one as well.' })

const outcome = Type.Object({
  delivered: Type.Boolean({ description: 'Whether the answer had a status 2xx.' }),
  status_code: Type.Union([Type.Integer(), Type.Null()], { description: 'Status of the answer; null without an answer.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'status, refused, unreachable, timeout or too-large.' }),
})
const tested = Type.Object({ WebhookTest: outcome }, { description: 'The outcome.' })

/** The field `url` with the check of its address, so that all invalid fields are reported together. */
const checked = (wrong: WebhookService['wrongAddress']): typeof url => ({
  ...url,
  decode(wire, zone) {
    const address = url.decode(wire, zone)
    const text = typeof address === 'string' ? wrong(address) : undefined
    return text === undefined ? address : new FieldError(text)
  },
})

const guarded = { roles: experts, right: webhookResource.right }

/** @param sealedBy encrypts the stored answers of idempotency keys, which contain a secret */
export const webhookRoutes = ({ list, get, change, remove, fieldErrors, ...webhooks }: WebhookService, sealedBy: Sealer): Routes => [
  resourceRoutes(webhookResource, { list, get, change, remove, fieldErrors }),
  action(
    webhookResource,
    {
      ...{ method: 'POST', path: '', operationId: 'createWebhook', ...guarded, answers: { 201: created }, sealedBy },
      body: wrappedBody('Webhook', { url: checked(webhooks.wrongAddress), events, active, description }),
    },
    async ({ caller, body, reply, space }) => {
      const { id, secret } = await webhooks.create(caller, body)
      return { ...answerCreated(reply, space, webhookResource.path, id), secret }
    },
  ),
  action(
    webhookResource,
    {
      ...{ method: 'POST', path: ':id/secret', operationId: 'replaceWebhookSecret' },
      summary: 'Replaces the secret of the webhook.',
      ...{ ...guarded, answers: { 200: replaced }, sealedBy },
    },
    async ({ caller, id }) => ({ secret: await webhooks.replaceSecret(caller, id) }),
  ),
  action(
    webhookResource,
    {
      ...{ method: 'POST', path: ':id/test', operationId: 'testWebhook' },
      summary: 'Sends an event of the type `webhook.test` once, and returns the outcome.',
      ...{ ...guarded, answers: { 200: tested }, idempotency: 'none' },
    },
    async ({ caller, id }) => {
      const { error, statusCode } = await webhooks.test(caller, id)
      return { WebhookTest: { delivered: error === null, status_code: statusCode, error } }
    },
  ),
]
