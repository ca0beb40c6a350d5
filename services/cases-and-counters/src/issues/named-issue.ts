import { AppError, noSuchRecord } from '@caseway/kit/errors'

/** A change of the case that a body names by `issue_id`: where there is none, also since a moment ago, that field is wrong. */
export async function ofNamedIssue<Answer>(change: Promise<Answer>): Promise<Answer> {
  try {
    return await change
  } catch (error) {
    throw error instanceof AppError && error.kind === 'not-found' ? noSuchRecord('issue_id') : error
  }
}
