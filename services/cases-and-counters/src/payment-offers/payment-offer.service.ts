import type { Employee, Id } from '@caseway/kit/caller'
import { nonexistent, refuseMissing } from '@caseway/kit/errors'
import type { Links } from '@caseway/people'
import type { PaymentOfferRepository } from './payment-offer.repository.js'
import type { NewPaymentOffer } from './payment-offer.resource.js'

/** The offers of employees, which they make and change. */
export const paymentOfferService = ({ own: _, createOwn: __, choose: ___, ...offers }: PaymentOfferRepository, links: Links) => ({
  ...offers,

  async fieldErrors(caller: Employee, sent: Partial<NewPaymentOffer>) {
    const missing = await links.missing(caller, { user_client_id: sent.userClientId })
    return { ...(await offers.fieldErrors(caller, sent)), ...nonexistent(missing) }
  },

  async create(caller: Employee, offer: NewPaymentOffer): Promise<Id> {
    refuseMissing(await links.missing(caller, { user_client_id: offer.userClientId }))
    return offers.create(caller, offer)
  },
})
