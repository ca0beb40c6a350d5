import { references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { issueSubjectRepository } from './issue-subject.repository.js'
import { issueSubjectResource } from './issue-subject.resource.js'
import { issueSubjectLabelRepository } from './issue-subject-label.repository.js'
import { issueSubjectLabelResource } from './issue-subject-label.resource.js'

/** The subjects of cases, and their labels. */
export function wireIssueSubjects(db: Db) {
  const subjects = issueSubjectRepository(db)
  const labels = issueSubjectLabelRepository(db, references({ issue_subject_id: subjects }))
  return {
    subjects,
    routes: [resourceRoutes(issueSubjectResource, subjects), resourceRoutes(issueSubjectLabelResource, labels)],
  }
}
