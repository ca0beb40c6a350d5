import type { Employee } from '@caseway/kit/caller'
import type { Db } from '../database.js'
import type { MailFolderSettingRecord } from './mail-folder-setting.resource.js'

/** One record for each user; an empty one until they save it. */
export const mailFolderSettingRepository = (db: Db) => ({
  async own(caller: Employee): Promise<MailFolderSettingRecord> {
    const { customerId, userId } = caller
    const found = await db.read(caller).mailFolderSetting.findFirst({ where: { customerId, userId } })
    return found ?? { id: 0n, customerId, userId, order: '', created: null, modified: null, version: 0 }
  },

  save: (caller: Employee, order: string): Promise<MailFolderSettingRecord> =>
    db.write(caller, (tx) => {
      const { customerId, userId } = caller
      const where = { customerId_userId: { customerId, userId } }
      return tx.mailFolderSetting.upsert({ where, create: { customerId, userId, order }, update: { order } })
    }),
})
