import type { Id } from '@caseway/kit/caller'
import { Folder, type FolderCountEvent } from '@caseway/protos/mail/v1/events'
import type { FolderDelta } from './folder-count.js'

export interface FolderCountRow {
  readonly customerId: Id
  readonly userId: Id
  readonly folder: FolderDelta['folder']
  readonly folderId: Id
  readonly count: number
  readonly revision: bigint
}

const folders: Readonly<Record<FolderDelta['folder'], Folder>> = {
  CLIENTS: Folder.CLIENTS,
  OFFICES: Folder.OFFICES,
  PROVIDERS: Folder.PROVIDERS,
  LEADS: Folder.LEADS,
  OTHERS: Folder.OTHERS,
  DRAFTS: Folder.DRAFTS,
  CUSTOM: Folder.CUSTOM,
}

export const eventOf = ({ folder, ...row }: FolderCountRow, removed = false): FolderCountEvent => ({
  ...row,
  folder: folders[folder],
  removed,
})

/** The name of the folder of an event; undefined for one that this build does not know. */
export const folderOf = ({ folder }: FolderCountEvent): string | undefined => Object.entries(folders).find(([, one]) => one === folder)?.[0]
