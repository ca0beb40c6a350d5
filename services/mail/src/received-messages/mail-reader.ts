import type { Employee } from '@caseway/kit/caller'
import { type OfficeFolder, officeFolders } from './target-folder.js'

/** Somebody who works at an office, with what they may read of its mail. */
export interface MailReader extends Employee {
  /** Folders of the office. */
  readonly officeFolders: readonly OfficeFolder[]
  /** Their own folders, and the custom ones of the office. */
  readonly personal: boolean
}

const personalRight = 'mailbox.personal_mailbox'

const rightOf: Readonly<Record<OfficeFolder, string>> = {
  CLIENTS: 'mailbox.crm_folders.clients',
  OFFICES: 'mailbox.crm_folders.offices',
  PROVIDERS: 'mailbox.crm_folders.providers',
  LEADS: 'mailbox.crm_folders.leads',
}

type HasRight = (caller: Employee, right: string) => Promise<boolean>

/** What somebody may read at this moment. */
export const mailReaders =
  (hasRight: HasRight) =>
  async (caller: Employee): Promise<MailReader> => {
    const [personal, ...allowed] = await Promise.all(
      [personalRight, ...officeFolders.map((name) => rightOf[name])].map((right) => hasRight(caller, right)),
    )
    return { ...caller, personal: personal === true, officeFolders: officeFolders.filter((_, i) => allowed[i]) }
  }

export type MailReaders = ReturnType<typeof mailReaders>
