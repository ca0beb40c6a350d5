import type { Employee } from '@caseway/kit/caller'
import { downloadAnswers, downloadHeaders, fileName, sendDownload } from '@caseway/kit/downloads'
import { notFound } from '@caseway/kit/errors'
import { action, answerSchemas, idParam, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import { messageName } from '../received-messages/received-message-address.js'
import { type Attachment, mimeOf, nameOf, scanStatuses } from './attachment.js'
import type { AttachmentService } from './attachment.service.js'

const { name, path } = messageName
const messages = { ...messageName, audience: 'expert' } as const

const attachment = Type.Object({
  position: Type.String({ description: 'Position among the attachments, from 0; part of the path of the download.' }),
  filename: Type.String({
    description:
      'The name of the download: the name that the sender gave, without paths and invisible characters; otherwise a name from the media type or, for an attached message, from its subject.',
  }),
  mime: Type.String({ description: 'Media type that the sender declared.' }),
  size: Type.String({ description: 'In bytes.' }),
  content_id: Type.Union([Type.String(), Type.Null()], { description: 'Content-ID by which the body refers to it.' }),
  virus_scan_status: Type.Enum([...scanStatuses], { description: 'pending until it is first requested.' }),
  virus_scan_error: Type.Union([Type.String(), Type.Null()]),
})
const attachments = Type.Object({ MailAttachment: Type.Array(attachment) }, { description: 'The attachments, in their order.' })

const schema = {
  ...{ operationId: 'getMailReceivedMysqlMessageAttachment', tags: [name] },
  summary: 'The bytes of an attachment after a clean virus scan. It is scanned when it is first requested.',
  params: Type.Object({ id: Type.String(), position: Type.String({ description: 'From 0.' }) }),
  headers: downloadHeaders,
  response: answerSchemas(downloadAnswers, 404, 409),
}

/** One name in the list and of the download, so that a reader sees which kind of file it is: "annex\u202Efdp.exe" would be shown as "annexexe.pdf". */
const nameToShow = (one: Pick<Attachment, 'filename' | 'mime'>) => fileName(nameOf(one))

/** Attachments are downloaded by whoever sees their message. */
export const attachmentRoutes = ({ list, find, open }: AttachmentService): Routes => [
  action(
    messages,
    {
      ...{ method: 'GET', path: ':id/attachment', operationId: 'listMailReceivedMysqlMessageAttachments', answers: { 200: attachments } },
      summary: 'The attachments of a message.',
    },
    async ({ caller, id }) => ({
      MailAttachment: (await list(caller, id)).map((one) => ({
        ...{ position: String(one.position), filename: nameToShow(one), mime: one.mime, size: String(one.size), content_id: one.contentId },
        ...{ virus_scan_status: one.virusScanStatus, virus_scan_error: one.virusScanError },
      })),
    }),
  ),
  (app) => {
    app.get(`/${path}/:id/attachment/:position`, { schema, config: { longLived: true } }, async (request, reply) => {
      const found = await find(request.caller as Employee, idParam(request), positionOf(request.params.position))
      const { messageId, position, size: sizeBytes } = found
      const file = { name: nameToShow(found), mime: mimeOf(found), sizeBytes, etag: `"${messageId}-${position}-${sizeBytes}"` }
      return sendDownload(request, reply, file, (range) => open(found, range))
    })
  },
]

function positionOf(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,3})$/.test(text)) throw notFound()
  return Number(text)
}
