import type { Client, Id } from '@caseway/kit/caller'
import { AppError, nonexistent, noSuchRecord } from '@caseway/kit/errors'

/** Awaits a change of the case that a request names by `issue_id`, and reports a missing case as an invalid field. */
export async function ofNamedIssue<Answer>(change: Promise<Answer>): Promise<Answer> {
  try {
    return await change
  } catch (error) {
    throw error instanceof AppError && error.kind === 'not-found' ? noSuchRecord('issue_id') : error
  }
}

/** The cases that clients see. */
export interface OwnIssues {
  some(client: Client, ids: readonly Id[]): Promise<readonly object[]>
}

/** A text for the case that the body of a client names by `issue_id`, where they see no such case. */
export async function namedIssueErrors(issues: OwnIssues, client: Client, { issueId }: { readonly issueId?: Id }) {
  const isMissing = issueId !== undefined && (await issues.some(client, [issueId])).length === 0
  return nonexistent(isMissing ? ['issue_id'] : [])
}
