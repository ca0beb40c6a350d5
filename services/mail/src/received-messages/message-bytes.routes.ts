import type { Employee } from '@caseway/kit/caller'
import { answerSchemas, idParam, idParameter, type Routes } from '@caseway/kit/http'
import { attachmentsNotDownloaded, messageBytesLost } from '../errors.js'
import type { MessageBytes } from './message-bytes.js'
import { receivedMessageResource } from './received-message.resource.js'
import type { ReceivedMessageService } from './received-message.service.js'

const { name, path } = receivedMessageResource
const content = (type: string) => ({ content: { [type]: { schema: { type: 'string' } } } })
const ofMessage = { tags: [name], params: idParameter }

const sourceSchema = {
  ...{ ...ofMessage, operationId: 'getMailReceivedMysqlMessageSource', summary: 'The message, byte for byte as it was received.' },
  response: answerSchemas({ 200: { description: 'The message.', ...content('message/rfc822') } }, 404, 409),
}
const bodySchema = {
  ...{
    ...ofMessage,
    operationId: 'getMailReceivedMysqlMessageBody',
    summary: 'The body as a page that runs no scripts and loads only its own images.',
  },
  response: answerSchemas({ 200: { description: 'HTML.', ...content('text/html') } }, 404),
}

/** A body loads nothing but its own images, which need the token of the reader. */
const bodyPolicy = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"

/** Serves untrusted content so that no browser executes it. */
export const messageBytesRoutes =
  ({ get, bytes }: Pick<ReceivedMessageService, 'get' | 'bytes'>, stored: MessageBytes): Routes =>
  (app) => {
    app.get(`/${path}/:id/source`, { schema: sourceSchema, config: { longLived: true } }, async (request, reply) => {
      const { message, blobKey } = await bytes(request.caller as Employee, idParam(request))
      if (message.partial) throw attachmentsNotDownloaded()
      const source = await stored.get(blobKey)
      if (!source) throw messageBytesLost()
      reply.headers({ 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' })
      reply.headers({ 'content-disposition': `attachment; filename="message-${message.id}.eml"`, 'content-length': message.size })
      return reply.type('message/rfc822').send(source)
    })
    app.get(`/${path}/:id/body`, { schema: bodySchema }, async (request, reply) => {
      const { mailBody } = await get(request.caller as Employee, idParam(request))
      reply.headers({ 'content-security-policy': bodyPolicy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      return reply.type('text/html; charset=utf-8').send(`<!doctype html><meta charset="utf-8"><body>${mailBody}`)
    })
  }
