import type { Client, Id } from '@caseway/kit/caller'
import { requireVersion } from '@caseway/kit/errors'
import { chooses } from './payment-offer.js'
import type { PaymentOfferRepository } from './payment-offer.repository.js'
import type { ClientPaymentOfferChanges } from './payment-offer.resource.js'

/** Clients make offers for their own cases, and choose one. */
export const clientPaymentOfferService = ({ own, createOwn, choose }: PaymentOfferRepository) => ({
  ...own,
  create: createOwn,

  async change(client: Client, id: Id, changes: ClientPaymentOfferChanges, expected?: number): Promise<void> {
    const offer = await own.get(client, id)
    if (chooses(changes)) await choose(client, id, expected)
    else requireVersion(offer, expected)
  },
})
