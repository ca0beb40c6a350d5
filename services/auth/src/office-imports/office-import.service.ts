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

/** Offices that come from another installation: closed until everything of them is there. */
export const officeImportService = (imports: OfficeImportRepository, { customers, mails, audit }: Dependencies) => ({
  find: imports.find,
  isUnfinished: imports.isUnfinished,

  /** @throws AppError `conflict` */
  async requireFinished(customerId: Id): Promise<void> {
    if (await imports.isUnfinished(customerId)) throw importUnfinished()
  },

  /**
   * Notes an import, and the rows of auth that `writeRows` writes, in one transaction.
   * @throws AppError `conflict` where employees of other offices have the addresses of those who come
   */
  async begin(asked: NewImport, writeRows: (begun: OfficeImport) => Promise<void>): Promise<OfficeImport> {
    const taken = await imports.takenAddresses(asked.employees)
    if (taken.length > 0) throw addressesTaken(taken)
    return imports.create(asked, async (begun) => {
      await writeRows(begun)
      const { customerId } = begun
      await audit.record({ kind: 'office.imported', customerId, subject: { kind: 'customer', id: customerId } })
    })
  },

  /** Opens the office, and invites its people: no password comes with an export. */
  complete: (hash: NewImport['hash']): Promise<void> =>
    imports.complete(hash, async (customerId) => {
      await customers.reopen(customerId)
      for (const person of await imports.people(customerId)) await mails.invite(person, customerId)
    }),
})

export type OfficeImportService = ReturnType<typeof officeImportService>
