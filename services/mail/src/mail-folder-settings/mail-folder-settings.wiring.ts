import type { Employee } from '@caseway/kit/caller'
import type { Db } from '../database.js'
import { orderedIds } from '../mail-folders/mail-folder.js'
import { mailFolderSettingRepository } from './mail-folder-setting.repository.js'
import { mailFolderSettingRoutes } from './mail-folder-setting.routes.js'

/** The order in which users see their folders. */
export function wireMailFolderSettings(db: Db) {
  const settings = mailFolderSettingRepository(db)
  return {
    routes: mailFolderSettingRoutes(settings),
    orderOf: async (caller: Employee) => orderedIds(await settings.orderOf(caller)),
  }
}
