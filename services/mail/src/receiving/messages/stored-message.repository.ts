import { platform } from '@caseway/kit/database'
import type { Db } from '../../database.js'

/** The records that refer to bytes in the storage. */
export const storedMessages = (db: Db) => ({
  async any(): Promise<boolean> {
    const rows = db.read(platform)
    const received = await rows.mailReceivedMessage.findFirst({ select: { id: true } })
    return received !== null || (await rows.mailSentMessage.findFirst({ select: { id: true }, where: { blobKey: { not: null } } })) !== null
  },

  /** Those of the keys that a message or an attachment refers to; messages that were removed for good do not count. */
  async known(blobKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = { blobKey: { in: [...blobKeys] } }
    const rows = db.read(platform)
    const messages = await rows.mailReceivedMessage.findMany({ where: { ...keys, removed: false }, select: { blobKey: true } })
    const attachments = await rows.mailAttachment.findMany({ where: { ...keys, message: { removed: false } }, select: { blobKey: true } })
    const written = await rows.mailSentMessage.findMany({ where: keys, select: { blobKey: true } })
    return new Set([...messages, ...attachments, ...written].flatMap(({ blobKey }) => blobKey ?? []))
  },
})
