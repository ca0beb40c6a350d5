import type { Id } from '@caseway/kit/caller'

export const mailFolders = ['clients', 'others', 'drafts', 'offices', 'providers', 'leads', 'custom'] as const
export type MailFolder = (typeof mailFolders)[number]

/** What mail counts in one folder: unread messages; of drafts, all. */
export interface FolderValue {
  readonly folder: MailFolder
  /** `nobody` for a folder of the office. */
  readonly userId: Id
  /** 0 unless the folder is a custom one. */
  readonly folderId: Id
  readonly value: number
}
