import { forbidden, notFound } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import type { LinkableObjects } from '@caseway/kit/objects'
import { approveRight, mayAttach } from './issue-sentence.js'
import type { LinkableSentence, LinkableSentenceRepository } from './linkable-sentence.repository.js'

/** Authors attach the files of their sentences; those of a reply, like its text, do not leave the office without a review. */
export const linkableSentences = ({ some }: LinkableSentenceRepository, hasRight: HasRight): LinkableObjects<LinkableSentence> => ({
  some,

  async require(linker, sentence) {
    if (linker.role === 'client') {
      if (sentence.userClientId !== linker.userId) throw notFound()
      if (sentence.speaker !== 'initiator' || sentence.speakerId !== linker.userId) throw forbidden()
      return
    }
    const mayApprove = await hasRight(linker, approveRight)
    if (!mayAttach({ userId: linker.userId, mayApprove }, sentence)) throw forbidden()
  },
})
