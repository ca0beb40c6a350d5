import { forbidden, notFound } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import type { LinkableObjects } from '@caseway/kit/objects'
import type { CompanyCardRepository } from './company-card.repository.js'
import { companyCardResource, manageRight } from './company-card.resource.js'

const { roles } = companyCardResource

/** Cards as that to which files are attached: by whoever may change the card, for employees. */
export const linkableCards = ({ linkable }: Pick<CompanyCardRepository, 'linkable'>, hasRight: HasRight): LinkableObjects => ({
  some: linkable,

  async require(linker) {
    if (linker.role === 'client') throw notFound()
    const mayUpdate = roles.update.some((role) => role === linker.role)
    if (!mayUpdate || !(await hasRight(linker, manageRight))) throw forbidden()
  },
})
