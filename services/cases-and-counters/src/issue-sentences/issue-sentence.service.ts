import { type Employee, experts, type Id } from '@caseway/kit/caller'
import { forbidden, invalid } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import { approveRight, goal, moved, type Status } from './issue-sentence.js'
import type { IssueSentenceRepository } from './issue-sentence.repository.js'
import type { NewSentence, SentenceChanges, SentenceRow } from './issue-sentence.resource.js'

/** What employees say in cases. */
export const issueSentenceService = (
  { own: _, createOwn: __, linkable: ___, say: ____, sent: _____, ...sentences }: IssueSentenceRepository,
  hasRight: HasRight,
) => {
  /** Only who sends or reviews needs to be known of. */
  const writer = async (caller: Employee, status: Status | undefined) => ({
    userId: caller.userId,
    mayApprove: (status === 'sent' || status === 'rejected') && (await hasRight(caller, approveRight)),
  })

  return {
    ...sentences,

    /** Sends what is written, unless it is a draft. */
    async create(caller: Employee, { issueId, body, status: wanted = 'sent' }: NewSentence): Promise<Id> {
      if (wanted === 'rejected') throw invalid({ status: 'must be one of draft, to_review, sent' })
      const status = goal(await writer(caller, wanted), wanted)
      const written = { issueId, body }
      return status === 'sent' ? sentences.createSent(caller, written) : sentences.create(caller, written, status)
    },

    /** Edits, sends, withdraws, approves, corrects, rejects: by the fields that are sent. */
    async change(caller: Employee, id: Id, changes: SentenceChanges, expected?: number): Promise<void> {
      const by = await writer(caller, changes.status)
      const leaves = changes.status === 'sent' && by.mayApprove
      const change = leaves ? sentences.send : sentences.change
      await change(caller, id, (sentence) => moved(by, sentence, changes), expected)
    },

    /** Experts remove every sentence, everybody else a draft of their own. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> => {
      const require = ({ speaker, speakerId, status }: SentenceRow) => {
        const isOwnDraft = speaker === 'expert' && speakerId === caller.userId && status === 'draft'
        if (!isOwnDraft && !experts.includes(caller.role)) throw forbidden()
      }
      return sentences.remove(caller, id, require, expected)
    },
  }
}
