import { recordEncoder, resourceRoutes } from '@caseway/kit/http'
import { shownRecords } from '@caseway/kit/objects'
import type { Links, Users } from '@caseway/people'
import type { Db } from '../database.js'
import { clientIssueResource } from './client-issue.resource.js'
import { clientIssueService } from './client-issue.service.js'
import { type IssueReferences, issueRepository, type WriteAs } from './issue.repository.js'
import { issueResource } from './issue.resource.js'
import { issueService } from './issue.service.js'
import type { Follower } from './issue-change.js'
import { linkableIssues } from './linkable-issues.service.js'

export interface IssueParts {
  /** Write what follows from a change of a case, in its transaction and in this order. */
  readonly followers: readonly Follower[]
  readonly users: Users
  readonly links: Links & { readonly writeAs: WriteAs }
  readonly named: IssueReferences
}

/** The cases, for employees and for their clients. Other modules use `rows`; live streams show what is in `live`. */
export function wireIssues(db: Db, { followers, users, links, named }: IssueParts) {
  const rows = issueRepository(db, followers, links.writeAs, named)
  const issues = issueService(rows, users, links, named)
  const clientIssues = clientIssueService(rows, links)
  const encoders = { encodeIssue: recordEncoder(issueResource), encodeClientIssue: recordEncoder(clientIssueResource) }
  return {
    rows,
    live: { issues, clientIssues, ...encoders },
    linkable: linkableIssues(rows),
    shown: shownRecords(issueResource, rows),
    routes: resourceRoutes(issueResource, issues),
    clientRoutes: resourceRoutes(clientIssueResource, clientIssues),
  }
}
