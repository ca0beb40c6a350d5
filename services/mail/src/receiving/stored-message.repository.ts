import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'

/** The messages whose bytes are in the storage. */
export const storedMessages = (db: Db) => ({
  any: async (): Promise<boolean> => (await db.read(platform).mailReceivedMessage.findFirst({ select: { id: true } })) !== null,
})
