import { type Routes, resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { type Emptied, mailFolderRepository } from './mail-folder.repository.js'
import { mailFolderResource } from './mail-folder.resource.js'
import { mailFolderService, type OrderOf } from './mail-folder.service.js'

interface Parts {
  readonly orderOf: OrderOf
  readonly emptied: Emptied
}

/** The folders of users and offices. */
export function wireMailFolders(db: Db, { orderOf, emptied }: Parts) {
  const rows = mailFolderRepository(db, emptied)
  const routes: Routes = resourceRoutes(mailFolderResource, mailFolderService(rows, orderOf))
  return { routes, visible: rows.some, keep: rows.keep }
}
