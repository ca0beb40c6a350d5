import type { Employee } from '@caseway/kit/caller'
import type { Db } from '../database.js'
import type { MailFolderSettingRecord } from './mail-folder-setting.resource.js'

/** One record for each user, without an order until they save one. */
export const mailFolderSettingRepository = (db: Db) => {
  const find = (caller: Employee) => {
    const { customerId, userId } = caller
    return db.read(caller).mailFolderSetting.findFirst({ where: { customerId, userId } })
  }

  const create = (caller: Employee): Promise<MailFolderSettingRecord> =>
    db.write(caller, async (tx) => {
      const { customerId, userId } = caller
      await tx.mailFolderSetting.createMany({ data: { customerId, userId }, skipDuplicates: true })
      return tx.mailFolderSetting.findFirstOrThrow({ where: { customerId, userId } })
    })

  return {
    /** The record, which is created when its user first reads it. */
    own: async (caller: Employee): Promise<MailFolderSettingRecord> => (await find(caller)) ?? (await create(caller)),

    save: (caller: Employee, order: string): Promise<MailFolderSettingRecord> =>
      db.write(caller, (tx) => {
        const { customerId, userId } = caller
        const where = { customerId_userId: { customerId, userId } }
        return tx.mailFolderSetting.upsert({ where, create: { customerId, userId, order }, update: { order } })
      }),

    orderOf: async (caller: Employee): Promise<string> => (await find(caller))?.order ?? '',
  }
}
