import type { Id } from '@caseway/kit/caller'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { ErasureRepository } from './erasure.repository.js'

interface Dependencies {
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly audit: Audit
  readonly mails: Pick<AccountMailService, 'forget'>
}

/** For the operator of the installation, at the request of the person (GDPR, article 17). */
export const erasureService = (erasures: ErasureRepository, { sessions, audit, mails }: Dependencies) => ({
  find: erasures.find,

  /** Ends the sessions and deletes the queued mails of an account that is erased. The audit trail of each office records the erasure with the id only. */
  erase: (id: Id, customerIds: readonly Id[]): Promise<boolean> =>
    erasures.erase(id, customerIds, async (account) => {
      const subject = { kind: 'client', id } as const
      if (account) {
        await sessions.endAll(subject)
        await mails.forget(subject, account.email)
      }
      for (const customerId of customerIds) await audit.record({ kind: 'client.erased', customerId, subject })
      if (account) await audit.record({ kind: 'client.erased', customerId: null, subject })
    }),
})

export type ErasureService = ReturnType<typeof erasureService>
