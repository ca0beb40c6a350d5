import type { Id } from '@caseway/kit/caller'
import { conflict } from '@caseway/kit/errors'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { CustomerService } from '../customers/customer.service.js'
import type { NewImport, OfficeImport, TakenAddress } from './office-import.js'
import type { OfficeImportRepository } from './office-import.repository.js'

interface Dependencies {
  readonly customers: Pick<CustomerService, 'reopen'>
  readonly mails: Pick<AccountMailService, 'invite'>
  readonly audit: Audit
}

const importUnfinished = () =>
  conflict('IMPORT_UNFINISHED', 'The office is being imported, and not all of it is here: run the import again.')

const addressesTaken = (taken: readonly TakenAddress[]) => {
  const emails = taken.map(({ email }) => email).join(', ')
  const offices = [...new Set(taken.map(({ customerId }) => customerId))].join(', ')
  return conflict('ADDRESSES_TAKEN', `Employees of another office (${offices}) sign in with ${emails}: an address is one person's.`)
}

/** Offices that come from another installation. Each stays closed until the import is complete. */
export const officeImportService = (imports: OfficeImportRepository, { customers, mails, audit }: Dependencies) => ({
  find: imports.find,
  isUnfinished: imports.isUnfinished,

  /** @throws AppError `conflict` while the office is being imported */
  async requireFinished(customerId: Id): Promise<void> {
    if (await imports.isUnfinished(customerId)) throw importUnfinished()
  },

  /**
   * Stores an import, and the rows of auth by `writeRows`, in one transaction.
   * @throws AppError `conflict` when employees of other offices have addresses of its employees
   */
  async begin(input: NewImport, writeRows: (begun: OfficeImport) => Promise<void>): Promise<OfficeImport> {
    const taken = await imports.takenAddresses(input.employees)
    if (taken.length > 0) throw addressesTaken(taken)
    return imports.create(input, async (begun) => {
      await writeRows(begun)
      const { customerId } = begun
      await audit.record({ kind: 'office.imported', customerId, subject: { kind: 'customer', id: customerId } })
    })
  },

  /** Opens the office, and invites its people, because an export contains no passwords. Does nothing the second time. */
  complete: (hash: NewImport['hash']): Promise<void> =>
    imports.complete(hash, async (customerId) => {
      await customers.reopen(customerId)
      for (const person of await imports.people(customerId)) await mails.invite(person, customerId)
    }),
})

export type OfficeImportService = ReturnType<typeof officeImportService>
