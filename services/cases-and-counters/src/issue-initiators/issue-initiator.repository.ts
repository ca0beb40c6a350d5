import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import { issueInitiatorInUse } from '../errors.js'
import type { Contact } from './issue-initiator.js'
import { type IssueInitiatorChanges, issueInitiatorResource, type NewIssueInitiator } from './issue-initiator.resource.js'

export const issueInitiatorRepository = (db: Db) => {
  const reads = resourceReads(db, issueInitiatorResource)
  return {
    ...reads,

    create: (caller: Employee, initiator: NewIssueInitiator) =>
      db.write(caller, (tx) => tx.issueInitiator.create({ data: { ...initiator, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: IssueInitiatorChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.issueInitiator.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    /** @throws AppError `conflict` while a case or a person of a provider names it: whoever writes one keeps the card (`References.keep`) */
    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        const naming = { where: { customerId: caller.customerId, issueInitiatorId: id }, select: { id: true } }
        if ((await tx.issue.findFirst(naming)) || (await tx.providerPerson.findFirst(naming))) throw issueInitiatorInUse()
        await tx.issueInitiator.delete({ where: { id, customerId: caller.customerId } })
      }),

    /** The oldest card with the e-mail of a contact, kept from being deleted until the transaction ends; a new one where there is none. */
    async keepContact(tx: Tx, customerId: Id, contact: Contact): Promise<Id> {
      const [known] = await tx.$queryRaw<{ id: Id }[]>`
        SELECT id FROM issue_initiators WHERE customer_id = ${customerId} AND email IN (${contact.email}, lower(${contact.email}))
        ORDER BY id LIMIT 1 FOR KEY SHARE`
      return known?.id ?? (await tx.issueInitiator.create({ data: { ...contact, customerId } })).id
    },
  }
}

export type IssueInitiatorRepository = ReturnType<typeof issueInitiatorRepository>
