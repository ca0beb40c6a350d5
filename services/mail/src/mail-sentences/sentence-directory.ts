import type { Id } from '@caseway/kit/caller'

/** A sentence that an employee has sent to the client of a case. */
export interface SentSentence {
  readonly id: Id
  readonly issueId: Id
  readonly subject: string
  readonly body: string
  readonly speakerId: Id
  readonly clientId: Id | null
  /** `pending`: their virus scan has not ended. */
  readonly files: readonly { readonly commonFileId: Id; readonly pending: boolean }[]
}

/** Queries of cases-and-counters, which owns the sentences. */
export interface SentenceDirectory {
  /** Undefined where it was removed. @throws AppError `unavailable` where the owner does not answer */
  find(customerId: Id, sentenceId: Id): Promise<SentSentence | undefined>
}
