import type { Employee, Id } from '@caseway/kit/caller'
import { onViolation, type References, resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { issueSubjectLabelExists } from '../errors.js'
import { type IssueSubjectLabelChanges, issueSubjectLabelResource, type NewIssueSubjectLabel } from './issue-subject-label.resource.js'

export const issueSubjectLabelRepository = (db: Db, subjects: References<'issue_subject_id'>) => {
  const reads = resourceReads(db, issueSubjectLabelResource)
  const keyOf = ({ customerId }: Employee, issueSubjectId: Id) => ({ customerId_issueSubjectId: { customerId, issueSubjectId } })
  return {
    ...reads,
    fieldErrors: subjects.fieldErrors,

    create: (caller: Employee, label: NewIssueSubjectLabel): Promise<Id> =>
      db
        .write(caller, async (tx) => {
          await subjects.keep(tx, caller, label)
          await tx.issueSubjectLabel.create({ data: { ...label, customerId: caller.customerId } })
          return label.issueSubjectId
        })
        .catch((error: unknown) => {
          throw onViolation(error, 'issue_subject_labels_pkey', issueSubjectLabelExists())
        }),

    change: (caller: Employee, id: Id, changes: IssueSubjectLabelChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.issueSubjectLabel.update({ where: keyOf(caller, id), data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.issueSubjectLabel.delete({ where: keyOf(caller, id) })
      }),
  }
}
