import { line, required } from '@caseway/kit/fields'
import { action, ok, type Routes, wrappedBody } from '@caseway/kit/http'
import Type from 'typebox'
import { mailRoles } from './mail-roles.js'
import { mailServerResource } from './mail-server.resource.js'
import type { MailboxAuthorizationService } from './mailbox-authorization.service.js'

const wrapper = 'MailServerOauth2'
const path = ':id/oauth2'

const question = wrappedBody(wrapper, { provider: required(line({ max: 32 })), redirect_uri: required(line({ max: 2048 })) })
const answer = wrappedBody(wrapper, { code: required(line({ max: 4096 })), state: required(line({ max: 255 })) })
const address = Type.Object(
  { [wrapper]: Type.Object({ authorization_url: Type.String() }) },
  { description: 'The URL at which the owner of the mailbox gives consent.' },
)

export const mailboxAuthorizationRoutes = ({ begin, complete }: MailboxAuthorizationService): Routes => [
  action(
    mailServerResource,
    {
      ...{ method: 'POST', path, operationId: 'authorizeMailServer', roles: mailRoles, body: question, idempotency: 'none' },
      summary:
        'Begins an authorization at the provider (google, microsoft, custom). Its code is accepted in this session, for ten minutes.',
      answers: { 200: address },
    },
    async ({ caller, id, body }) => ({ [wrapper]: { authorization_url: await begin(caller, id, body) } }),
  ),
  action(
    mailServerResource,
    {
      ...{ method: 'PUT', path, operationId: 'connectMailServer', roles: mailRoles, body: answer },
      summary: 'Exchanges the code of the provider for tokens, and starts the servers of the mailbox that use the provider.',
      answers: { 200: ok },
    },
    ({ caller, id, body }) => complete(caller, id, body),
  ),
]
