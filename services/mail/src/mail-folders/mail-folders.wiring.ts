import { type Routes, resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { enqueueEmptying, folderEmptying } from './folder-emptying.job.js'
import { type Followers, mailFolderRepository } from './mail-folder.repository.js'
import { mailFolderResource } from './mail-folder.resource.js'
import { mailFolderService, type OrderOf } from './mail-folder.service.js'

interface Parts extends Omit<Followers, 'enqueueEmptying'> {
  readonly orderOf: OrderOf
}

/** The folders of users and offices. */
export function wireMailFolders(db: Db, { orderOf, ...followers }: Parts) {
  const rows = mailFolderRepository(db, { ...followers, enqueueEmptying })
  const routes: Routes = resourceRoutes(mailFolderResource, mailFolderService(rows, orderOf))
  return { routes, jobs: [folderEmptying(rows)], visible: rows.some, keep: rows.keep }
}
