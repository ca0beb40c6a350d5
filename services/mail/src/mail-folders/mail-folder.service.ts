import type { Employee, Id } from '@caseway/kit/caller'
import type { ListQuery } from '@caseway/kit/resource'
import { inOrder } from './mail-folder.js'
import type { MailFolderRepository } from './mail-folder.repository.js'
import type { mailFolderResource } from './mail-folder.resource.js'

/** The order in which a user sees their folders; empty when they have set none. */
export type OrderOf = (caller: Employee) => Promise<readonly Id[]>

export const mailFolderService = ({ makeSystemFolders, list, ...folders }: MailFolderRepository, orderOf: OrderOf) => {
  const complete = new Set<Id>()

  /** Creates the system folders of an office when it first lists its folders. */
  const mustHaveSystemFolders = async (customerId: Id) => {
    if (complete.has(customerId)) return
    await makeSystemFolders(customerId)
    complete.add(customerId)
  }

  return {
    ...folders,

    /** A complete list in the default order is sorted as the user wants it; any other list as the query asks. */
    async list(caller: Employee, query: ListQuery<typeof mailFolderResource>) {
      await mustHaveSystemFolders(caller.customerId)
      const page = await list(caller, query)
      const isWhole = !query.cursor && !page.next && query.sort.field === 'id' && !query.sort.descending
      return isWhole ? { ...page, items: inOrder(page.items, await orderOf(caller)) } : page
    },
  }
}
