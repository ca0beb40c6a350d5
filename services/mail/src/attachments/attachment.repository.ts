import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { Attachment, MessageOf, ScanResult } from './attachment.js'

const select = {
  ...{ customerId: true, messageId: true, position: true, filename: true, mime: true, size: true, contentId: true },
  ...{ virusScanStatus: true, virusScanError: true, blobKey: true },
} as const

type Place = Pick<Attachment, 'customerId' | 'messageId' | 'position'>

const of = ({ customerId, messageId, position }: Place) => ({ customerId, messageId, position })

/** Enqueues the scan of the wanted attachments of a message, in the transaction that marks them. */
export type EnqueueScan = (tx: Tx, message: MessageOf) => Promise<void>

export const attachmentRepository = (db: Db, enqueueScan: EnqueueScan) => ({
  /** By position. */
  list: ({ id: messageId, customerId }: MessageOf) =>
    db
      .read(office(customerId))
      .mailAttachment.findMany({ where: { customerId, messageId }, select, orderBy: { position: 'asc' } }) as Promise<Attachment[]>,

  find: ({ id: messageId, customerId }: MessageOf, position: number) =>
    db
      .read(office(customerId))
      .mailAttachment.findFirst({ where: { customerId, messageId, position }, select }) as Promise<Attachment | null>,

  /** Marks an attachment for a scan and enqueues it. The key of bytes that an earlier scan stored is dropped. */
  want: ({ customerId, messageId, position, blobKey }: Attachment): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const where = { customerId, messageId, position, blobKey }
      await tx.mailAttachment.updateMany({ where, data: { wanted: true, virusScanStatus: 'pending', blobKey: null } })
      await enqueueScan(tx, { id: messageId, customerId })
    }),

  /**
   * The positions of the attachments that wait for their scan, the smallest attachment first, and the key of the message's bytes. Null for a removed
   * message.
   */
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

  /** Stores the result of a scan. @param bytes the stored bytes of a clean attachment @returns false where the attachment is not pending any more */
  async scanned(tx: Tx, place: Place, { status, error }: ScanResult, bytes?: { blobKey: string; size: number }): Promise<boolean> {
    const { count } = await tx.mailAttachment.updateMany({
      where: { ...of(place), virusScanStatus: 'pending' },
      data: { ...bytes, virusScanStatus: status, virusScanError: error?.slice(0, 1000) ?? null },
    })
    return count > 0
  },
})

export type AttachmentRepository = ReturnType<typeof attachmentRepository>
