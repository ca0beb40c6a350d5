import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type MailTemplateChanges, mailTemplateResource, type NewMailTemplate } from './mail-template.resource.js'

export const mailTemplateRepository = (db: Db) => {
  const reads = resourceReads(db, mailTemplateResource)
  return {
    ...reads,

    create: (caller: Employee, template: NewMailTemplate) =>
      db.write(caller, (tx) => tx.mailTemplate.create({ data: { ...template, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: MailTemplateChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.mailTemplate.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.mailTemplate.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export type MailTemplateRepository = ReturnType<typeof mailTemplateRepository>
