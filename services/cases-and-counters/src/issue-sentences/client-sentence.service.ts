import type { Client, Id } from '@caseway/kit/caller'
import { issueState } from '../errors.js'
import type { NewClientSentence } from './client-sentence.resource.js'
import type { IssueSentenceRepository } from './issue-sentence.repository.js'

/** What clients say in their own cases. */
export const clientSentenceService = ({ own, createOwn }: IssueSentenceRepository) => ({
  ...own,

  create: (client: Client, sentence: NewClientSentence): Promise<Id> =>
    createOwn(client, sentence, ({ status }) => {
      if (status === 'closed' || status === 'rejected') throw issueState()
    }),
})
