import type { Id } from '@caseway/kit/caller'

/** Folders of the office, each with a right of its own. */
export const officeFolders = ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS'] as const
export type OfficeFolder = (typeof officeFolders)[number]

/** Personal folders, which every user has. */
export const personalFolders = ['OTHERS', 'DRAFTS', 'SENT', 'TRASH'] as const

export const systemFolders = [...officeFolders, ...personalFolders] as const
export type SystemFolder = (typeof systemFolders)[number]

export const isOfficeFolder = (folder: string): folder is OfficeFolder => officeFolders.some((name) => name === folder)

/** The folder of a message: a system folder or a custom one. */
export type TargetFolder = { readonly system: SystemFolder; readonly custom: null } | { readonly system: null; readonly custom: Id }

export const systemFolder = (system: SystemFolder): TargetFolder => ({ system, custom: null })
export const customFolder = (custom: Id): TargetFolder => ({ system: null, custom })

export const sameFolder = (one: TargetFolder, other: TargetFolder): boolean => one.system === other.system && one.custom === other.custom
