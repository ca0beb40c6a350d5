import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import { nonexistent, noSuchRecord } from '@caseway/kit/errors'
import type { Db } from '../database.js'
import type { MailFolderRule, RuleCondition } from './mail-folder-rule.js'
import { type MailFolderRuleChanges, mailFolderRuleResource, type NewMailFolderRule } from './mail-folder-rule.resource.js'

/** @returns those of the folders that the caller sees, locked against deletion until the transaction ends */
export type KeepFolders = (tx: object, caller: Employee, ids: readonly Id[]) => Promise<readonly { readonly systemName: string | null }[]>

const conditionsOf = (text: string) => JSON.parse(text) as readonly RuleCondition[]

export const mailFolderRuleRepository = (db: Db, keepFolders: KeepFolders) => {
  const reads = resourceReads(db, mailFolderRuleResource)

  const isCustom = async (tx: object, caller: Employee, id: Id) => {
    const [folder] = await keepFolders(tx, caller, [id])
    return folder?.systemName === null
  }

  return {
    ...reads,

    fieldErrors: (caller: Employee, { mailFolderId }: MailFolderRuleChanges) =>
      db.write(caller, async (tx) =>
        mailFolderId === undefined || (await isCustom(tx, caller, mailFolderId)) ? {} : nonexistent(['mail_folder_id']),
      ),

    create: (caller: Employee, rule: NewMailFolderRule) =>
      db.write(caller, async (tx) => {
        if (!(await isCustom(tx, caller, rule.mailFolderId))) throw noSuchRecord('mail_folder_id')
        return tx.mailFolderRule.create({ data: { ...rule, userId: caller.userId, customerId: caller.customerId } })
      }),

    change: (caller: Employee, id: Id, changes: MailFolderRuleChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        // The folder is locked before its rules, as when it is deleted.
        const fits = changes.mailFolderId === undefined || (await isCustom(tx, caller, changes.mailFolderId))
        await reads.lock(tx, caller, id, expected)
        if (!fits) throw noSuchRecord('mail_folder_id')
        await tx.mailFolderRule.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.mailFolderRule.delete({ where: { id, customerId: caller.customerId } })
      }),

    /** The active rules of a user, in their order. */
    async of(customerId: Id, userId: Id): Promise<MailFolderRule[]> {
      const where = { customerId, userId, active: true }
      const rows = await db.read(office(customerId)).mailFolderRule.findMany({ where, orderBy: [{ position: 'asc' }, { id: 'asc' }] })
      return rows.map(({ id, mailFolderId, conditions }) => ({ id, mailFolderId, conditions: conditionsOf(conditions) }))
    },
  }
}

export type MailFolderRuleRepository = ReturnType<typeof mailFolderRuleRepository>
