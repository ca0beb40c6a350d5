import { forbidden, notFound } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import type { LinkableObjects } from '@caseway/kit/objects'
import { manageRight } from './company-card.js'
import type { CompanyCardRepository } from './company-card.repository.js'
import { companyCardResource } from './company-card.resource.js'

const { roles } = companyCardResource

/** Cards as objects to which files can be attached, by employees who may change the card. */
export const linkableCards = ({ linkable }: Pick<CompanyCardRepository, 'linkable'>, hasRight: HasRight): LinkableObjects => ({
  some: linkable,

  async require(linker) {
    if (linker.role === 'client') throw notFound()
    const mayUpdate = roles.update.some((role) => role === linker.role)
    if (!mayUpdate || !(await hasRight(linker, manageRight))) throw forbidden()
  },
})
