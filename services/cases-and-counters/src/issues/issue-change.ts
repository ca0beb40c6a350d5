import type { Id } from '@caseway/kit/caller'
import type { Issue } from './issue.js'

/** In whose name a case of an office changes: an employee's, or a client's. */
export interface Actor {
  readonly customerId: Id
  readonly userId: Id
}

/** A case on both sides of a change; null where it does not exist. */
export interface IssueChange {
  readonly actor: Actor
  readonly before: Issue | null
  readonly after: Issue | null
}
