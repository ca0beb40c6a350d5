import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'

/** The messages whose bytes are in the storage. */
export const storedMessages = (db: Db) => ({
  any: async (): Promise<boolean> => (await db.read(platform).mailReceivedMessage.findFirst({ select: { id: true } })) !== null,

  /** Those of some blobs that a message needs, or an attachment of one; nothing of messages that were removed for good. */
  async known(blobKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = { blobKey: { in: [...blobKeys] } }
    const rows = db.read(platform)
    const messages = await rows.mailReceivedMessage.findMany({ where: { ...keys, removed: false }, select: { blobKey: true } })
    const attachments = await rows.mailAttachment.findMany({ where: { ...keys, message: { removed: false } }, select: { blobKey: true } })
    return new Set([...messages, ...attachments].flatMap(({ blobKey }) => blobKey ?? []))
  },
})
