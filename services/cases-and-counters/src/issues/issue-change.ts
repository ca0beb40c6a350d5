import type { Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import type { Issue } from './issue.js'

/** In whose name a case of an office changes: an employee's, or a client's. Without a person it is the system. */
export interface Actor {
  readonly customerId: Id
  readonly userId: Id | null
}

/** A case as it is opened: PostgreSQL gives it its id and its number. */
export type OpenedIssue = Omit<Issue, 'id' | 'number'>

interface Opened {
  readonly actor: Actor
  readonly before: null
  readonly after: OpenedIssue
}

/** A change of a case that there is; `after` is null where it is removed. */
export interface Changed {
  readonly actor: Actor
  readonly before: Issue
  readonly after: Issue | null
}

/** A case on both sides of a change. */
export type IssueChange = Opened | Changed

/** What another module writes with a change of a case, in the same transaction. */
export type Follower = (change: IssueChange) => readonly BatchStatement[]
