import type { Client, Id } from '@caseway/kit/caller'
import { issueState } from '../errors.js'
import { isEnded } from '../issues/issue.js'
import type { NewClientSentence } from './client-sentence.resource.js'
import type { InitiatorSentenceRepository } from './initiator-sentence.repository.js'

/** The sentences of clients in their own cases. */
export const clientSentenceService = ({ createFirst: _, ...sentences }: InitiatorSentenceRepository) => ({
  ...sentences,

  create: (client: Client, sentence: NewClientSentence): Promise<Id> =>
    sentences.create(client, sentence, (issue) => {
      if (isEnded(issue)) throw issueState()
    }),
})
