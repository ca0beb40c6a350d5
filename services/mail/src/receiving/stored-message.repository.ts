import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'

/** The messages whose bytes are in the storage. */
export const storedMessages = (db: Db) => ({
  async any(): Promise<boolean> {
    const rows = db.read(platform)
    const received = await rows.mailReceivedMessage.findFirst({ select: { id: true } })
    return received !== null || (await rows.mailSentMessage.findFirst({ select: { id: true }, where: { blobKey: { not: null } } })) !== null
  },

  /** Those of some blobs that a message needs, or an attachment of one; nothing of messages that were removed for good. */
  async known(blobKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = { blobKey: { in: [...blobKeys] } }
    const rows = db.read(platform)
    const messages = await rows.mailReceivedMessage.findMany({ where: { ...keys, removed: false }, select: { blobKey: true } })
    const attachments = await rows.mailAttachment.findMany({ where: { ...keys, message: { removed: false } }, select: { blobKey: true } })
    const written = await rows.mailSentMessage.findMany({ where: keys, select: { blobKey: true } })
    return new Set([...messages, ...attachments, ...written].flatMap(({ blobKey }) => blobKey ?? []))
  },
})
