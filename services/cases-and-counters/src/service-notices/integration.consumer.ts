import { type Consumer, consumer } from '@caseway/kit/events'
import { integrationTopic } from '@caseway/protos/topics'
import type { Fact } from '../notifications/notification.js'
import { integrationFact } from './integration-fact.js'

interface Notices {
  tell(fact: Fact): Promise<void>
}

/** Whoever connected their office with the accounting platform is notified when that has ended the access. */
export const integrationNotices = ({ tell }: Notices): Consumer =>
  consumer(integrationTopic, async (event) => {
    const fact = integrationFact(event)
    if (fact) await tell(fact)
  })
