import type { Id } from '@caseway/kit/caller'
import { batchConsumer, type Consumer } from '@caseway/kit/events'
import { issueTopic } from '@caseway/protos/topics'

interface Links {
  forget(customerId: Id, issueId: Id): Promise<void>
}

export const removedCases = ({ forget }: Links): Consumer =>
  batchConsumer(
    issueTopic,
    async (events) => {
      for (const { customerId, issueId, change } of events) if (change?.$case === 'deleted') await forget(customerId, issueId)
    },
    'linked cases',
  )
