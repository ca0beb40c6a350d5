import type { Employee, Id } from '@caseway/kit/caller'
import type { OfficeProfile } from '../offices/office.js'
import { newHash, slugOf } from './company-card.js'
import type { CompanyCardRepository, OwnMove } from './company-card.repository.js'
import type { CompanyCardChanges, CompanyCardRecord, NewCompanyCard } from './company-card.resource.js'
import { prefilledCard } from './prefilled-card.js'

interface Offices {
  profile(caller: Employee): Promise<OfficeProfile>
}

/** The card of an office, for its employees. */
export const companyCardService = (cards: CompanyCardRepository, offices: Offices) => ({
  get: cards.get,

  /** The card of the office; where it has none, a prefilled one that is not stored. */
  own: async (caller: Employee): Promise<CompanyCardRecord> =>
    (await cards.own(caller)) ?? prefilledCard(caller.customerId, await offices.profile(caller)),

  create: (caller: Employee, card: NewCompanyCard): Promise<Id> =>
    cards.create(caller, { ...card, citySlug: slugOf(card.city), hash: newHash() }),

  /** Changes the card. The published version stays public until the change is approved. */
  change: (caller: Employee, id: Id, { city, ...changes }: CompanyCardChanges, expected?: number): Promise<void> =>
    cards.move(caller, id, {
      move: 'change',
      changes: { ...changes, ...(city !== undefined && { city, citySlug: slugOf(city) }) },
      expected,
    }),

  /** Moves the card for a change of its logo, which `alsoWrite` stores in the same transaction. */
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
