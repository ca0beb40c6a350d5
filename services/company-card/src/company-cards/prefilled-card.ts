import type { Id } from '@caseway/kit/caller'
import type { OfficeProfile } from '../offices/office.js'
import { slugOf, statuses } from './company-card.js'

/** The card that is shown to an office without one: it is filled in from the profile of the office, and not stored. */
export const prefilledCard = (customerId: Id, office: OfficeProfile) => ({
  ...{ id: null, hash: null, created: null, modified: null, version: 0 },
  customerId,
  ...{ name: office.name, street: office.street, zip: office.zip, city: office.city, citySlug: slugOf(office.city) },
  ...{ voivodeship: office.voivodeship, phone: office.phone, email: office.email, url: office.url },
  ...{ shortDescription: null, description: null, openingHours: '{}', contactMethod: '{}', scopeOfService: '{}', logoFilename: null },
  ...{ isVerified: false, status: statuses.draft, changesRequestDetails: '' },
})
