import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { LinkableObjects } from '@caseway/kit/objects'

interface Messages {
  readonly linkable: LinkableObjects['some']
  sees(employee: Employee, id: Id): Promise<boolean>
}

/** Messages as objects that files are attached to. Only an employee who sees a message may attach a file to it. */
export const linkableMessages = ({ linkable, sees }: Messages): LinkableObjects => ({
  some: linkable,

  async require(linker, { id }) {
    if (linker.role === 'client' || !(await sees(linker, id))) throw notFound()
  },
})
