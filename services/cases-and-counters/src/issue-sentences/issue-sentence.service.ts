import { type Employee, experts, type Id } from '@caseway/kit/caller'
import { forbidden, invalid } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import { approveRight, moved, type Status, targetStatus } from './issue-sentence.js'
import type { IssueSentenceRepository } from './issue-sentence.repository.js'
import type { NewSentence, SentenceChanges, SentenceRow } from './issue-sentence.resource.js'

/** The sentences of employees. */
export const issueSentenceService = ({ createSent, send, ...sentences }: IssueSentenceRepository, hasRight: HasRight) => {
  /** The right is only looked up for changes that send or review. */
  const writer = async (caller: Employee, status: Status | undefined) => ({
    userId: caller.userId,
    mayApprove: (status === 'sent' || status === 'rejected') && (await hasRight(caller, approveRight)),
  })

  return {
    ...sentences,

    /** Creates a sentence. Unless it is a draft, it is sent, or submitted to review if the caller may not approve. */
    async create(caller: Employee, { issueId, body, status: wanted = 'sent' }: NewSentence): Promise<Id> {
      if (wanted === 'rejected') throw invalid({ status: 'must be one of draft, to_review, sent' })
      const status = targetStatus(await writer(caller, wanted), wanted)
      const sentence = { issueId, body }
      return status === 'sent' ? createSent(caller, sentence) : sentences.create(caller, sentence, status)
    },

    /**
     * Applies a change; the fields that are sent decide whether it edits, sends, withdraws, approves, corrects or rejects.
     * @throws AppError as `moved`; `not-found`, `stale`
     */
    async change(caller: Employee, id: Id, changes: SentenceChanges, expected?: number): Promise<void> {
      const by = await writer(caller, changes.status)
      const isSending = changes.status === 'sent' && by.mayApprove
      const change = isSending ? send : sentences.change
      await change(caller, id, (sentence) => moved(by, sentence, changes), expected)
    },

    /** Removes a sentence. Administrators and experts may remove all; others only their own drafts. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> => {
      const require = ({ speaker, speakerId, status }: SentenceRow) => {
        const isOwnDraft = speaker === 'expert' && speakerId === caller.userId && status === 'draft'
        if (!isOwnDraft && !experts.includes(caller.role)) throw forbidden()
      }
      return sentences.remove(caller, id, require, expected)
    },
  }
}
