import type { Client, Id } from '@caseway/kit/caller'
import { issueState } from '../errors.js'
import { isEnded } from '../issues/issue.js'
import type { NewClientSentence } from './client-sentence.resource.js'
import type { IssueSentenceRepository } from './issue-sentence.repository.js'

/** The sentences of clients in their own cases. */
export const clientSentenceService = ({ own, createOwn }: IssueSentenceRepository) => ({
  ...own,

  create: (client: Client, sentence: NewClientSentence): Promise<Id> =>
    createOwn(client, sentence, (issue) => {
      if (isEnded(issue)) throw issueState()
    }),
})
