import type { EventTransport } from '@caseway/kit/events'
import { consumingContract } from './transport-consuming.js'
import { deliveryContract } from './transport-delivery.js'

/** The contract that every transport must fulfil. Each test has its own topic and group. */
export function transportContract(name: string, makeTransport: (topic: string) => Promise<EventTransport>): void {
  deliveryContract(name, makeTransport)
  consumingContract(name, makeTransport)
}
