import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { Attachment, MessageOf, ScanResult } from './attachment.js'

const select = {
  ...{ customerId: true, messageId: true, position: true, filename: true, mime: true, size: true, contentId: true },
  ...{ virusScanStatus: true, virusScanError: true, blobKey: true },
} as const

type Place = Pick<Attachment, 'customerId' | 'messageId' | 'position'>

const of = ({ customerId, messageId, position }: Place) => ({ customerId, messageId, position })

/** Scans what was wanted of the attachments of a message, in the transaction in which it is wanted. */
export type EnqueueScan = (tx: Tx, message: MessageOf) => Promise<void>

export const attachmentRepository = (db: Db, enqueueScan: EnqueueScan) => ({
  /** In their order. */
  list: ({ id: messageId, customerId }: MessageOf) =>
    db
      .read(office(customerId))
      .mailAttachment.findMany({ where: { customerId, messageId }, select, orderBy: { position: 'asc' } }) as Promise<Attachment[]>,

  find: ({ id: messageId, customerId }: MessageOf, position: number) =>
    db
      .read(office(customerId))
      .mailAttachment.findFirst({ where: { customerId, messageId, position }, select }) as Promise<Attachment | null>,

  /** Lets it be scanned. Its bytes that were kept are of no use any more. */
  want: ({ customerId, messageId, position, blobKey }: Attachment): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const where = { customerId, messageId, position, blobKey }
      await tx.mailAttachment.updateMany({ where, data: { wanted: true, virusScanStatus: 'pending', blobKey: null } })
      await enqueueScan(tx, { id: messageId, customerId })
    }),

  /** Those of a message that wait for their scan, the smallest first; and the key of the bytes of the message. */
  async wanted({ id: messageId, customerId }: MessageOf): Promise<{ readonly positions: number[]; readonly blobKey: string } | null> {
    const message = await db.read(office(customerId)).mailReceivedMessage.findFirst({
      where: { id: messageId, customerId, removed: false },
      select: {
        blobKey: true,
        attachments: { where: { wanted: true, virusScanStatus: 'pending' }, select: { position: true }, orderBy: { size: 'asc' } },
      },
    })
    return message && { blobKey: message.blobKey, positions: message.attachments.map(({ position }) => position) }
  },

  /** @param bytes that were kept, where they are clean. @returns false where nobody waits for them any more */
  async scanned(tx: Tx, place: Place, { status, error }: ScanResult, bytes?: { blobKey: string; size: number }): Promise<boolean> {
    const { count } = await tx.mailAttachment.updateMany({
      where: { ...of(place), virusScanStatus: 'pending' },
      data: { ...bytes, virusScanStatus: status, virusScanError: error?.slice(0, 1000) ?? null },
    })
    return count > 0
  },
})

export type AttachmentRepository = ReturnType<typeof attachmentRepository>
