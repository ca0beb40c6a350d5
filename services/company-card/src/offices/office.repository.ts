import type { Employee } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import { type AuthDirectory, copiedOffices } from '@caseway/people'
import type { CustomerEvent } from '@caseway/protos/auth/v1/events'
import type { Db } from '../database.js'
import type { OfficeProfile } from './office.js'

/** The profile in an event, where fields without a value are empty. */
const profileOf = ({ name, street, zip, city, voivodeship, phone, email, url }: CustomerEvent): OfficeProfile => ({
  ...{ name, street, zip, city, voivodeship: voivodeship ?? null },
  ...{ phone: phone || null, email: email || null, url: url || null },
})

/** The copy of auth's offices, with their profiles. */
export const officeRepository = (db: Db, auth: AuthDirectory, defaultTimeZone: string) => ({
  ...copiedOffices(db, auth, defaultTimeZone, { also: profileOf }),

  /** The profile of the caller's office. @throws AppError `unavailable` while the copy does not have the office */
  async profile({ customerId: id }: Employee): Promise<OfficeProfile> {
    const office = await db.read({ customerId: id }).customer.findFirst({ where: { id } })
    if (!office) throw unavailable()
    return office
  },
})
