import type { Id } from '@caseway/kit/caller'
import { batchConsumer, type Consumer, consumer } from '@caseway/kit/events'
import { issueTopic, removedObjectTopic, sentenceTopic } from '@caseway/protos/topics'
import type { ToMail } from './mail-sentence.job.js'

interface Sentences {
  begin(sentence: ToMail): Promise<void>
  cancel(customerId: Id, of: { readonly sentenceIds: readonly Id[] } | { readonly issueId: Id }): Promise<void>
}

export const sentencesByMail = ({ begin, cancel }: Sentences): readonly Consumer[] => [
  consumer(
    sentenceTopic,
    async ({ clientId, ...sentence }) => {
      if (clientId !== undefined) await begin(sentence)
    },
    'sentences by mail',
  ),
  consumer(
    removedObjectTopic,
    async ({ customerId, objectName, objectIds }) => {
      if (objectName === 'IssueSentence') await cancel(customerId, { sentenceIds: objectIds })
    },
    'sentences by mail: removed',
  ),
  batchConsumer(
    issueTopic,
    async (events) => {
      for (const { customerId, issueId, change } of events) if (change?.$case === 'deleted') await cancel(customerId, { issueId })
    },
    'sentences by mail: cases',
  ),
]
