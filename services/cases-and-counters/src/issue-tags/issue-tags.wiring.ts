import { type Referable, references } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type IssueTagDependencies, issueTagRepository } from './issue-tag.repository.js'
import { issueTagRoutes } from './issue-tag.routes.js'

type Tags = Referable & IssueTagDependencies['tags']

/** The tags of cases. */
export function wireIssueTags(db: Db, issues: Referable, tags: Tags, publishIssues: IssueTagDependencies['publishIssues']) {
  const issueTags = issueTagRepository(db, { tags, named: references({ issue_id: issues, tag_id: tags }), publishIssues })
  const { changeTag, removeTag } = issueTags
  return { changesOfTags: { change: changeTag, remove: removeTag }, routes: issueTagRoutes(issueTags) }
}
