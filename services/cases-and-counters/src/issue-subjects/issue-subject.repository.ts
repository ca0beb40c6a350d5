import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { issueSubjectInUse } from '../errors.js'
import { type IssueSubjectChanges, issueSubjectResource, type NewIssueSubject } from './issue-subject.resource.js'

export const issueSubjectRepository = (db: Db) => {
  const reads = resourceReads(db, issueSubjectResource)
  return {
    ...reads,

    create: (caller: Employee, subject: NewIssueSubject) =>
      db.write(caller, (tx) => tx.issueSubject.create({ data: { ...subject, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: IssueSubjectChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.issueSubject.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    /**
     * Deletes a subject with its label.
     * @throws AppError `conflict` while a case refers to it: whoever writes one locks the subject (`References.keep`)
     */
    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await reads.lock(tx, caller, id, expected)
        if (await tx.issue.findFirst({ where: { customerId, issueSubjectId: id }, select: { id: true } })) throw issueSubjectInUse()
        await tx.issueSubject.delete({ where: { id, customerId } })
      }),
  }
}
