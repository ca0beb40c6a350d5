import { randomUUID } from 'node:crypto'
import type { Caller } from '@caseway/kit/caller'
import type { ClientAccounts } from './client-accounts.js'
import type { ClientDataChanges, Outcome, RequestedChange } from './client-data.js'
import type { ClientDataChangeRepository } from './client-data-change.repository.js'
import { changeContinues, refusalOf } from './client-data-errors.js'
import type { EndedChanges } from './ended-changes.js'

/** How long a caller waits for a change, in milliseconds: less than the timeout of the gateway. */
const patienceMs = 4_000

type Done = Exclude<Outcome, { state: 'refused' }>

export const partnerClientDataService = (
  changes: Pick<ClientDataChangeRepository, 'begin' | 'outcomeOf' | 'isUnderWay'>,
  accounts: Pick<ClientAccounts, 'differs'>,
  ended: EndedChanges,
) => {
  const outcomeOf = async (request: RequestedChange, deadline: number): Promise<Outcome | undefined> => {
    let end = ended.next(request.id, deadline)
    await changes.begin(request)
    for (;;) {
      await end
      end = ended.next(request.id, deadline)
      const outcome = await changes.outcomeOf(request.id)
      if (outcome || Date.now() >= deadline) return outcome
    }
  }

  return {
    /**
     * Changes the data of a client in all systems, and waits for the end. Where nothing differs, nothing is written.
     * @throws AppError of a refusal; `unavailable` where the change has not ended in time, and continues in the background
     */
    async change({ userId }: Pick<Caller, 'userId'>, externalUserId: string, wanted: ClientDataChanges): Promise<Done> {
      const deadline = Date.now() + patienceMs
      // In this order, so that a change which ends in between is noticed by one of the two checks.
      const differs = await accounts.differs(externalUserId, wanted)
      if (!differs && !(await changes.isUnderWay(externalUserId))) return { state: 'unchanged' }
      const outcome = await outcomeOf({ id: randomUUID(), externalUserId, changes: wanted, applicationId: String(userId) }, deadline)
      if (!outcome) throw changeContinues()
      if (outcome.state === 'refused') throw refusalOf(outcome.refusal)
      return outcome
    },
  }
}

export type PartnerClientDataService = ReturnType<typeof partnerClientDataService>
