import type { Id } from '@caseway/kit/caller'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { Person } from '../accounts/account.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { Login } from '../mailed-links/mailed-link.js'
import type { SessionService } from '../sessions/session.service.js'
import type { ClientDataChanges } from './client-data.js'
import type { ClientDataRepository } from './client-data.repository.js'

export interface ClientDataDependencies {
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly mails: Pick<AccountMailService, 'addressChanged' | 'invite'>
  readonly audit: Audit
}

const wireNames = { email: 'email', firstname: 'firstname', lastname: 'lastname', companyName: 'company_name' } as const

const namesOf = (changes: ClientDataChanges) =>
  (Object.keys(changes) as (keyof ClientDataChanges)[]).map((field) => wireNames[field]).join(' ')

/** The steps by which the external accounting platform changes the account of a client. */
export const clientDataService = ({ apply, ...changes }: ClientDataRepository, { sessions, mails, audit }: ClientDataDependencies) => {
  /**
   * After a change of the address: ends the sessions, and notifies the previous address. A person without a password never used that address, and is
   * invited at the new one instead.
   */
  const moved = async (person: Person, { email, passwordHash }: Login, officeId: Id | null) => {
    await sessions.endAll(person)
    if (passwordHash !== null) await mails.addressChanged(person, email)
    else if (officeId !== null) await mails.invite(person, officeId)
  }

  return {
    ...changes,

    apply: (id: string, wanted: ClientDataChanges, applicationId: Id): Promise<Id[]> =>
      apply(id, wanted, async ({ client, employee, officeId }) => {
        const actor = { kind: 'application', id: applicationId } as const
        const details = { fields: namesOf(wanted) }
        const person = { kind: 'client', id: client.id } as const
        await audit.record({ kind: 'client.changed', customerId: null, actor, subject: person, details })
        if (wanted.email !== undefined) await moved(person, client, officeId)
        if (!employee) return
        const colleague = { kind: 'employee', id: employee.id } as const
        const { customerId } = employee
        await audit.record({ kind: 'user.changed', customerId, actor, subject: colleague, details })
        if (wanted.email !== undefined) await moved(colleague, employee, customerId)
      }),
  }
}

export type ClientDataService = ReturnType<typeof clientDataService>
