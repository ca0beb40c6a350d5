import { forbidden, notFound } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import type { LinkableObjects } from '@caseway/kit/objects'
import { manageRight } from './company-card.js'
import type { CompanyCardRepository } from './company-card.repository.js'
import { companyCardResource } from './company-card.resource.js'

const { roles } = companyCardResource

/** Files of cards are attached by whoever may change the card, for employees. */
export const linkableCards = ({ linkable }: Pick<CompanyCardRepository, 'linkable'>, hasRight: HasRight): LinkableObjects => ({
  some: linkable,

  async require(linker) {
    if (linker.role === 'client') throw notFound()
    const mayUpdate = roles.update.some((role) => role === linker.role)
    if (!mayUpdate || !(await hasRight(linker, manageRight))) throw forbidden()
  },
})
