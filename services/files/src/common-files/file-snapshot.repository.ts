import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { FileEvent } from '@caseway/protos/files/v1/events'
import type { Db } from '../database.js'
import { fileEvent } from './file-event.js'

const maxPage = 1000

/** The snapshot of all files: their events, in pages. */
export const fileSnapshotRepository = (db: Db) => ({
  /** A page ordered by id. @param limit 0 means the maximum */
  async page(after: Id, limit: number): Promise<FileEvent[]> {
    const take = limit > 0 ? Math.min(limit, maxPage) : maxPage
    const links = { orderBy: { id: 'asc' } } as const
    const files = await db
      .read(platform)
      .commonFile.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take, include: { links } })
    return files.map((file) => fileEvent(file, file.links))
  },
})
