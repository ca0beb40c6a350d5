import { email, writable } from '@caseway/kit/fields'
import { action, ok, type Routes, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import Type from 'typebox'
import { dkimStates, dmarcStates, spfStates } from '../sender-domains/sender-domain.js'
import { mailRoles } from './mail-roles.js'
import { mailServerResource } from './mail-server.resource.js'
import type { MailServerService, Tried } from './mail-server.service.js'

const { user_login, user_password, server_protocol, server_address, server_port, server_encryption } = mailServerResource.fields

const failed = Type.Union([Type.Enum(['dns', 'connect', 'tls', 'auth', 'protocol']), Type.Null()], {
  description: 'The step that failed: name resolution, connection, TLS, sign-in or protocol; null if none did.',
})
const found = (states: readonly string[]) => Type.Object({ state: Type.Enum([...states]), text: Type.String() })
const sender = Type.Object(
  { domain: Type.String(), spf: found(spfStates), dmarc: found(dmarcStates), dkim: found(dkimStates) },
  { description: 'The DNS records of the domain of a mailbox that sends, and advice.' },
)
const outcome = Type.Object({ ok: Type.Boolean(), failed, sender: Type.Optional(sender) })
const tried = Type.Object({ MailServerTest: outcome }, { description: 'The outcome of the test.' })

const shown = (tried: Tried) => ({ MailServerTest: { ok: tried.failed === null, ...tried } })

export const mailServerRoutes = ({ list, get, create, change, remove, fieldErrors, ...mailboxes }: MailServerService): Routes => [
  resourceRoutes(mailServerResource, { list, get, create, change, remove, fieldErrors }),
  action(
    mailServerResource,
    {
      ...{
        method: 'POST',
        path: ':id/pause',
        operationId: 'pauseMailServer',
        summary: 'Pauses a mailbox: it receives and sends nothing until it is resumed.',
      },
      ...{ roles: mailRoles, answers: { 200: ok } },
    },
    ({ caller, id }) => mailboxes.pause(caller, id),
  ),
  action(
    mailServerResource,
    {
      ...{
        method: 'POST',
        path: ':id/resume',
        operationId: 'resumeMailServer',
        summary: 'Resumes a mailbox that is paused or was stopped.',
      },
      ...{ roles: mailRoles, answers: { 200: ok } },
    },
    ({ caller, id }) => mailboxes.resume(caller, id),
  ),
  action(
    mailServerResource,
    {
      ...{
        method: 'POST',
        path: 'test',
        operationId: 'tryMailServer',
        summary: 'Connects, signs in, and reports which step failed. Nothing is stored.',
      },
      body: wrappedBody('MailServer', {
        user_email: writable(email),
        user_login,
        user_password,
        server_protocol,
        server_address,
        server_port,
        server_encryption,
      }),
      ...{ roles: mailRoles, answers: { 200: tried }, idempotency: 'none' },
    },
    async ({ caller, body }) => shown(await mailboxes.tryNew(caller, body)),
  ),
  action(
    mailServerResource,
    {
      ...{
        method: 'POST',
        path: ':id/test',
        operationId: 'tryStoredMailServer',
        summary: 'Connects to a stored mailbox, signs in, and reports which step failed.',
      },
      ...{ roles: mailRoles, answers: { 200: tried }, idempotency: 'none' },
    },
    async ({ caller, id }) => shown(await mailboxes.tryStored(caller, id)),
  ),
]
