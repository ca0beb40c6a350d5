import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { OfficeImport as StoredImport } from '../generated/client.js'
import type { Blocks, ExportedAccounts, Invited, NewImport, OfficeImport, TakenAddress } from './office-import.js'

const importOf = ({ customerId, blocks, completed }: StoredImport): OfficeImport => ({
  ...{ customerId, blocks: blocks as unknown as Blocks, isComplete: completed !== null },
})

const lowered = (email: string) => email.toLowerCase()

/** Reads and writes in the scope of the platform, because nobody of an imported office can sign in yet. */
export const officeImportRepository = (db: Db) => {
  const knownClients = async (tx: Tx, clients: ExportedAccounts['clients']): Promise<Record<string, string>> => {
    const where = { emailLower: { in: clients.map(({ email }) => lowered(email)) } }
    const found = await tx.client.findMany({ where, select: { id: true, emailLower: true } })
    const ids = new Map(found.map(({ id, emailLower }) => [emailLower, String(id)]))
    return Object.fromEntries(clients.flatMap(({ id, email }) => (ids.has(lowered(email)) ? [[id, ids.get(lowered(email)) ?? '']] : [])))
  }

  return {
    async find(hash: Buffer<ArrayBuffer>): Promise<OfficeImport | null> {
      const found = await db.read(platform).officeImport.findFirst({ where: { hash } })
      return found && importOf(found)
    },

    isUnfinished: async (customerId: Id): Promise<boolean> =>
      (await db.read(platform).officeImport.count({ where: { customerId, completed: null } })) > 0,

    /** The addresses that belong to employees of offices of this installation, with their offices. */
    takenAddresses: (emails: readonly string[]): Promise<TakenAddress[]> =>
      db.read(platform).user.findMany({ where: { emailLower: { in: emails.map(lowered) } }, select: { email: true, customerId: true } }),

    /** Stores an import. `then` writes the rows of auth in the same transaction; clients who have an account here keep it and its id. */
    create: ({ hash, customerId, blocks, clients }: NewImport, then: (created: OfficeImport) => Promise<void>): Promise<OfficeImport> =>
      db.write(platform, async (tx) => {
        const ofClients = blocks['auth.clients']
        const known = ofClients ? { 'auth.clients': { ...ofClients, known: await knownClients(tx, clients) } } : {}
        const data = { hash, customerId, blocks: { ...blocks, ...known } }
        const created = importOf(await tx.officeImport.create({ data }))
        await then(created)
        return created
      }),

    /** Marks an import as complete. `then` runs in the same transaction, unless it was complete before. */
    complete: (hash: Buffer<ArrayBuffer>, then: (customerId: Id) => Promise<void>): Promise<void> =>
      db.write(platform, async (tx) => {
        const [done] = await tx.officeImport.updateManyAndReturn({ where: { hash, completed: null }, data: { completed: new Date() } })
        if (done) await then(done.customerId)
      }),

    /** The people of an office who are invited once it is imported: active employees, and clients who are neither banned nor no longer linked. */
    async people(customerId: Id): Promise<Invited[]> {
      const reader = db.read(platform)
      const users = await reader.user.findMany({ where: { customerId, active: true }, select: { id: true } })
      const where = { customerId, banned: false, state: { not: 'ended' } }
      const links = await reader.clientLink.findMany({ where, select: { userClientId: true } })
      return [
        ...users.map(({ id }) => ({ kind: 'employee' as const, id })),
        ...links.map(({ userClientId: id }) => ({ kind: 'client' as const, id })),
      ]
    },
  }
}

export type OfficeImportRepository = ReturnType<typeof officeImportRepository>
