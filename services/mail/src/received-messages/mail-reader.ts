import type { Employee } from '@caseway/kit/caller'
import { type OfficeFolder, officeFolders } from './target-folder.js'

/** An employee with the rights to read mail. */
export interface MailReader extends Employee {
  /** The folders of the office that they may read. */
  readonly officeFolders: readonly OfficeFolder[]
  /** Whether they may read their own folders, and the custom folders of the office. */
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

/** Reads the current rights of an employee. */
export const mailReaders =
  (hasRight: HasRight) =>
  async (caller: Employee): Promise<MailReader> => {
    const [personal, ...allowed] = await Promise.all(
      [personalRight, ...officeFolders.map((name) => rightOf[name])].map((right) => hasRight(caller, right)),
    )
    return { ...caller, personal: personal === true, officeFolders: officeFolders.filter((_, i) => allowed[i]) }
  }

export type MailReaders = ReturnType<typeof mailReaders>
