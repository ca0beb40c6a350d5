import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
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

    /** @throws AppError `conflict` while a case or a person of a provider refers to it: whoever writes one locks the card (`References.keep`) */
    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        const naming = { where: { customerId: caller.customerId, issueInitiatorId: id }, select: { id: true } }
        if ((await tx.issue.findFirst(naming)) || (await tx.providerPerson.findFirst(naming))) throw issueInitiatorInUse()
        await tx.issueInitiator.delete({ where: { id, customerId: caller.customerId } })
      }),

    /** Changes the cards of a client. Cards that do not differ keep their version. @returns how many cards the office has of the client */
    changeOfClient: (customerId: Id, userClientId: Id, changes: Partial<Contact>): Promise<number> =>
      db.write(office(customerId), async (tx) => {
        const where = { customerId, userClientId }
        await tx.$queryRaw`SELECT FROM issue_initiators WHERE customer_id = ${customerId} AND user_client_id = ${userClientId} ORDER BY id FOR UPDATE`
        const cards = await tx.issueInitiator.findMany({ where })
        const sent = Object.entries(changes).filter(([, value]) => value !== undefined) as [keyof Contact, string | null][]
        const stale = cards.filter((card) => sent.some(([field, value]) => card[field] !== value))
        if (stale.length > 0)
          await tx.issueInitiator.updateMany({ where: { ...where, id: { in: stale.map(({ id }) => id) } }, data: Object.fromEntries(sent) })
        return cards.length
      }),

    /**
     * The oldest card with the address of a contact, ignoring case, locked so that it is not deleted before the transaction ends; a new card if there is
     * none.
     */
    async keepContact(tx: Tx, customerId: Id, contact: Contact): Promise<Id> {
      const [known] = await tx.$queryRaw<{ id: Id }[]>`
        SELECT id FROM issue_initiators WHERE customer_id = ${customerId} AND email_lower = lower(${contact.email})
        ORDER BY id LIMIT 1 FOR KEY SHARE`
      return known?.id ?? (await tx.issueInitiator.create({ data: { ...contact, customerId } })).id
    },
  }
}

export type IssueInitiatorRepository = ReturnType<typeof issueInitiatorRepository>
