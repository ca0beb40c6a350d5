import type { Employee, Id } from '@caseway/kit/caller'
import type { OfficeProfile } from '../offices/office.js'
import { newHash, slugOf } from './company-card.js'
import type { CompanyCardRepository, OwnMove } from './company-card.repository.js'
import type { CompanyCardChanges, CompanyCardRecord, NewCompanyCard } from './company-card.resource.js'
import { prefilledCard } from './prefilled-card.js'

interface Offices {
  profile(caller: Employee): Promise<OfficeProfile>
}

/** What an office does with its card. */
export const companyCardService = (cards: CompanyCardRepository, offices: Offices) => ({
  get: cards.get,

  /** The card of the office; without one, what it would begin with. */
  own: async (caller: Employee): Promise<CompanyCardRecord> =>
    (await cards.own(caller)) ?? prefilledCard(caller.customerId, await offices.profile(caller)),

  create: (caller: Employee, card: NewCompanyCard): Promise<Id> =>
    cards.create(caller, { ...card, citySlug: slugOf(card.city), hash: newHash() }),

  /** What is published stays public until the change is approved. */
  change: (caller: Employee, id: Id, { city, ...changes }: CompanyCardChanges, expected?: number): Promise<void> =>
    cards.move(caller, id, {
      move: 'change',
      changes: { ...changes, ...(city !== undefined && { city, citySlug: slugOf(city) }) },
      expected,
    }),

  /** Changes the logo as well; `alsoWrite` keeps it, in the same transaction. */
  changeLogo: (
    caller: Employee,
    id: Id,
    logoFilename: string | null,
    { expected, alsoWrite }: Omit<OwnMove, 'move' | 'changes'>,
  ): Promise<void> => cards.move(caller, id, { move: 'change', changes: { logoFilename }, expected, alsoWrite }),

  submit: (caller: Employee, id: Id, expected?: number): Promise<void> =>
    cards.move(caller, id, { move: 'submit', changes: { changesRequestDetails: '' }, expected }),
})

export type CompanyCardService = ReturnType<typeof companyCardService>
