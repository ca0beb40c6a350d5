import { idText, nullable, writable } from '@caseway/kit/fields'
import { action, type Routes, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import Type from 'typebox'
import { mailTemplateResource } from './mail-template.resource.js'
import type { MailTemplateService } from './mail-template.service.js'

const body = wrappedBody('MailTemplateText', { client_id: writable(nullable(idText)), issue_id: writable(nullable(idText)) })

const rendered = Type.Object(
  {
    MailTemplateText: Type.Object({
      mail_subject: Type.String(),
      mail_body: Type.String({ description: 'HTML.' }),
      missing: Type.Array(Type.String(), { description: 'The fields of the template that have no value, as `client.phone`.' }),
    }),
  },
  { description: 'The text for a message.' },
)

export const mailTemplateRoutes = ({ render, ...templates }: MailTemplateService): Routes => [
  resourceRoutes(mailTemplateResource, templates),
  action(
    mailTemplateResource,
    {
      ...{ method: 'POST', path: ':id/render', operationId: 'renderMailTemplate', body, answers: { 200: rendered }, idempotency: 'none' },
      summary: 'Fills a template with the values of a client, a case, the office and the caller. Stores nothing.',
    },
    async ({ caller, id, body }) => {
      const { mailSubject: mail_subject, mailBody: mail_body, missing } = await render(caller, id, body)
      return { MailTemplateText: { mail_subject, mail_body, missing: [...missing] } }
    },
  ),
]
