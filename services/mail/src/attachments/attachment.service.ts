import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { BlobStore, ByteRange } from '@caseway/kit/blobs'
import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import { attachmentNotClean, attachmentsNotDownloaded, messageBytesLost } from '../errors.js'
import type { Attachment, MessageOf, SeenMessage } from './attachment.js'
import type { AttachmentRepository } from './attachment.repository.js'

/** How long a download waits for the first scan, in milliseconds: less than the timeout of the gateway, 5 s. */
const patienceMs = 3_000
const betweenLooksMs = 50

/** Messages that the caller sees. Both methods throw AppError `not-found` for others. */
export interface SeenMessages {
  get(caller: Employee, id: Id): Promise<MessageOf>
  /** The message with the key of its stored bytes. */
  bytes(caller: Employee, id: Id): Promise<{ readonly message: SeenMessage; readonly blobKey: string }>
}

interface Parts {
  readonly messages: SeenMessages
  readonly rows: AttachmentRepository
  readonly blobs: Pick<BlobStore, 'get' | 'sizeOf'>
}

/** Attachments, for whoever sees their message. */
export const attachmentService = ({ messages, rows, blobs }: Parts) => {
  /** Requests a scan and waits for its result. @throws AppError FILE_NOT_CLEAN when it takes longer than `patienceMs` */
  const scanned = async (attachment: Attachment, sourceKey: string): Promise<Attachment> => {
    if ((await blobs.sizeOf(sourceKey)) === undefined) throw messageBytesLost()
    await rows.want(attachment)
    const until = performance.now() + patienceMs
    for (;;) {
      await pause(betweenLooksMs)
      const now = await rows.find({ id: attachment.messageId, customerId: attachment.customerId }, attachment.position)
      if (!now) throw notFound()
      if (now.virusScanStatus !== 'pending') return now
      if (performance.now() > until) throw attachmentNotClean()
    }
  }

  const isKept = async ({ blobKey }: Attachment) => blobKey !== null && (await blobs.sizeOf(blobKey)) !== undefined

  return {
    list: async (caller: Employee, id: Id) => rows.list(await messages.get(caller, id)),

    /**
     * @throws AppError FILE_NOT_CLEAN unless the scanner has found it clean, MAIL_ATTACHMENTS_NOT_DOWNLOADED where it was left on the mail server,
     * and `not-found` for a message that the caller does not see
     */
    async find(caller: Employee, id: Id, position: number): Promise<Attachment> {
      const { message, blobKey } = await messages.bytes(caller, id)
      let found = await rows.find(message, position)
      if (!found) throw notFound()
      if (message.partial) throw attachmentsNotDownloaded()
      const { virusScanStatus: status } = found
      if (status === 'pending' || (status === 'ok' && !(await isKept(found)))) found = await scanned(found, blobKey)
      if (found.virusScanStatus !== 'ok') throw attachmentNotClean()
      return found
    },

    async open({ blobKey }: Attachment, range?: ByteRange): Promise<Readable> {
      const content = blobKey === null ? undefined : await blobs.get(blobKey, range)
      if (!content) throw messageBytesLost()
      return content
    },
  }
}

export type AttachmentService = ReturnType<typeof attachmentService>
