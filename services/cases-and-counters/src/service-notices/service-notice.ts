import type { Fact } from '../notifications/notification.js'

/** A fact from another service, with the people whom it concerns. */
export type ServiceFact = Pick<Fact, 'customerId' | 'objectId' | 'version' | 'notices'>

/** Notifies once for each fact, however often it is delivered. */
export type NotifyOnce = (fact: ServiceFact) => Promise<void>
