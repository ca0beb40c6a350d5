import { action, ok, type Routes, resourceRoutes } from '@caseway/kit/http'
import { mailRoles } from '../mail-servers/mail-roles.js'
import { sentMessageResource } from './sent-message.resource.js'
import type { SentMessageService } from './sent-message.service.js'

export const sentMessageRoutes = (messages: SentMessageService): Routes => [
  resourceRoutes(sentMessageResource, messages),
  action(
    sentMessageResource,
    {
      ...{ method: 'POST', path: ':id/restore', operationId: 'restoreMailSentMysqlMessage', answers: { 200: ok }, roles: mailRoles },
      summary: 'Moves a message from TRASH to its previous folder.',
    },
    ({ caller, id }) => messages.restore(caller, id),
  ),
]
