import type { EventTransport } from '@caseway/kit/events'
import { consumingContract } from './transport-consuming.js'
import { deliveryContract } from './transport-delivery.js'

/** What services rely on, whatever carries their events. Each test has a topic and a group of its own. */
export function transportContract(name: string, makeTransport: (topic: string) => Promise<EventTransport>): void {
  deliveryContract(name, makeTransport)
  consumingContract(name, makeTransport)
}
