import type { Fact } from '../notifications/notification.js'

/** What another service has said, and whom it concerns. */
export type ServiceFact = Pick<Fact, 'customerId' | 'objectId' | 'version' | 'notices'>

/** Notifies once for each fact, however often it is told. */
export type Tell = (fact: ServiceFact) => Promise<void>
