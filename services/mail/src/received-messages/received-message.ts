import type { Id } from '@caseway/kit/caller'
import { isOfficeFolder, officeFolders, personalFolders, type SystemFolder, systemFolder, type TargetFolder } from './target-folder.js'

/** The folder that a change names; undefined when it names none. `both` when it names two. */
export function wantedFolder(changes: { folderName?: SystemFolder | null; mailFolderId?: Id | null }): TargetFolder | 'both' | undefined {
  const { folderName, mailFolderId } = changes
  if (folderName != null && mailFolderId != null) return 'both'
  if (mailFolderId != null) return { system: null, custom: mailFolderId }
  return folderName == null ? undefined : systemFolder(folderName)
}

/** Whether only messages of one's own mailboxes can be in a system folder. */
export const isPersonal = (folder: SystemFolder): boolean => !isOfficeFolder(folder)

const known = (name: unknown): name is SystemFolder => [...officeFolders, ...personalFolders].some((folder) => folder === name)

/** Where a message was before it was moved to TRASH, by what was kept of it then. What came into TRASH on the server goes to OTHERS. */
export function folderBefore(before: unknown): TargetFolder {
  const { folder_name: name, mail_folder_id: id } = (before ?? {}) as { folder_name?: unknown; mail_folder_id?: unknown }
  if (typeof id === 'string') return { system: null, custom: BigInt(id) }
  return systemFolder(known(name) ? name : 'OTHERS')
}
