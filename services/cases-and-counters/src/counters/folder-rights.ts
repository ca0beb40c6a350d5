import type { Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import type { FolderValue, MailFolder } from './counter.js'

const personalRight = 'mailbox.personal_mailbox'

/** The right that each folder requires. Drafts require none, because everybody sees only their own. */
const rightOf: Partial<Record<MailFolder, string>> = {
  clients: 'mailbox.crm_folders.clients',
  offices: 'mailbox.crm_folders.offices',
  providers: 'mailbox.crm_folders.providers',
  leads: 'mailbox.crm_folders.leads',
  others: personalRight,
  custom: personalRight,
}

/** Sets the counts of folders that a person may not read to 0. While their rights are unknown, the counts stay. */
export const readableFolders = (hasRight: HasRight) => {
  const isReadable = async (person: Parameters<HasRight>[0], { folder, value }: FolderValue) => {
    const right = rightOf[folder]
    if (!right || value === 0) return true
    try {
      return await hasRight(person, right)
    } catch (error) {
      if (error instanceof AppError) return true
      throw error
    }
  }
  return async (customerId: Id, userId: Id, values: readonly FolderValue[]): Promise<FolderValue[]> => {
    const readable = await Promise.all(values.map((value) => isReadable({ customerId, userId }, value)))
    return values.map((value, i) => (readable[i] ? value : { ...value, value: 0 }))
  }
}

export type ReadableFolders = ReturnType<typeof readableFolders>
