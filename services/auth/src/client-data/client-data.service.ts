import type { Id } from '@caseway/kit/caller'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { Person } from '../accounts/account.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { ClientDataChanges } from './client-data.js'
import type { ChangedAccounts, ClientDataRepository } from './client-data.repository.js'

export interface ClientDataDependencies {
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly mails: Pick<AccountMailService, 'addressChanged'>
  readonly audit: Audit
}

const wireNames = { email: 'email', firstname: 'firstname', lastname: 'lastname', companyName: 'company_name' } as const

const namesOf = (changes: ClientDataChanges) =>
  (Object.keys(changes) as (keyof ClientDataChanges)[]).map((field) => wireNames[field]).join(' ')

/** How the external accounting platform changes the account of a client, step by step. */
export const clientDataService = ({ apply, ...changes }: ClientDataRepository, { sessions, mails, audit }: ClientDataDependencies) => {
  /** Another address is another login: as when the person has confirmed one. */
  const moved = async (person: Person, before: string) => {
    await sessions.endAll(person)
    await mails.addressChanged(person, before)
  }

  return {
    ...changes,

    apply: (id: string, wanted: ClientDataChanges, applicationId: Id): Promise<Id[]> =>
      apply(id, wanted, async ({ client, employee }: ChangedAccounts) => {
        const actor = { kind: 'application', id: applicationId } as const
        const details = { fields: namesOf(wanted) }
        const person = { kind: 'client', id: client.id } as const
        await audit.record({ kind: 'client.changed', customerId: null, actor, subject: person, details })
        if (wanted.email !== undefined) await moved(person, client.email)
        if (!employee) return
        const colleague = { kind: 'employee', id: employee.id } as const
        const { customerId } = employee
        await audit.record({ kind: 'user.changed', customerId, actor, subject: colleague, details })
        if (wanted.email !== undefined) await moved(colleague, employee.email)
      }),
  }
}

export type ClientDataService = ReturnType<typeof clientDataService>
