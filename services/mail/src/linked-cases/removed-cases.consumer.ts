import type { Id } from '@caseway/kit/caller'
import { type Consumer, consumer } from '@caseway/kit/events'
import { issueTopic } from '@caseway/protos/topics'

interface Links {
  forget(customerId: Id, issueId: Id): Promise<void>
}

export const removedCases = ({ forget }: Links): Consumer =>
  consumer(
    issueTopic,
    async ({ customerId, issueId, change }) => {
      if (change?.$case === 'deleted') await forget(customerId, issueId)
    },
    'linked cases',
  )
