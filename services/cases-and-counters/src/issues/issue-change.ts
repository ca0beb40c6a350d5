import type { Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import type { Issue } from './issue.js'

/** The author of a change: an employee, a client, or, without a person, the system. */
export interface Actor {
  readonly customerId: Id
  readonly userId: Id | null
}

/** A case before its insertion, which assigns id and number. */
export type OpenedIssue = Omit<Issue, 'id' | 'number'>

interface Opened {
  readonly actor: Actor
  readonly before: null
  readonly after: OpenedIssue
}

/** A change of an existing case; `after` is null when it is deleted. */
export interface Changed {
  readonly actor: Actor
  readonly before: Issue
  readonly after: Issue | null
}

/** A case before and after a change. */
export type IssueChange = Opened | Changed

/** Returns the statements by which another module takes part in the transaction of a change. */
export type Follower = (change: IssueChange) => readonly BatchStatement[]
