import { type Referable, references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Users } from '@caseway/people'
import type { Db } from '../database.js'
import { type CommentDependencies, commentRepository } from './comment.repository.js'
import { commentResource } from './comment.resource.js'
import { commentService } from './comment.service.js'
import { linkableComments } from './linkable-comments.service.js'

export interface CommentParts {
  readonly groups: Referable
  readonly issues: Referable
  readonly users: Users
  readonly publishing: CommentDependencies['publishing']
}

/** Comments of employees, which clients do not see. */
export function wireComments(db: Db, { groups, issues, users, publishing }: CommentParts) {
  const named = references({ group_id: groups, issue_id: issues })
  const comments = commentRepository(db, { named, publishing })
  return {
    removeOfGroup: comments.removeOfGroup,
    linkable: linkableComments(comments),
    routes: resourceRoutes(commentResource, commentService(comments, users, named)),
  }
}
