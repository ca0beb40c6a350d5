import type { Id } from '@caseway/kit/caller'
import { isOfficeFolder, officeFolders, personalFolders, type SystemFolder, systemFolder, type TargetFolder } from './target-folder.js'

/** The target folder of a change; undefined where it names none, `both` where it names a system folder and a custom one. */
export function wantedFolder(changes: { folderName?: SystemFolder | null; mailFolderId?: Id | null }): TargetFolder | 'both' | undefined {
  const { folderName, mailFolderId } = changes
  if (folderName != null && mailFolderId != null) return 'both'
  if (mailFolderId != null) return { system: null, custom: mailFolderId }
  return folderName == null ? undefined : systemFolder(folderName)
}

/** Whether the folder takes only messages of the user's own mailboxes. */
export const isPersonal = (folder: SystemFolder): boolean => !isOfficeFolder(folder)

const known = (name: unknown): name is SystemFolder => [...officeFolders, ...personalFolders].some((folder) => folder === name)

/** The folder of a message before it was moved to TRASH, read from its column `before`. A message that arrived in the server's trash goes to OTHERS. */
export function folderBefore(before: unknown): TargetFolder {
  const { folder_name: name, mail_folder_id: id } = (before ?? {}) as { folder_name?: unknown; mail_folder_id?: unknown }
  if (typeof id === 'string') return { system: null, custom: BigInt(id) }
  return systemFolder(known(name) ? name : 'OTHERS')
}
