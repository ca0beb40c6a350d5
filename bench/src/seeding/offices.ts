import type { Person } from '../platform/tokens.js'

/** Far above the ids of the demo. */
const first = 1_000_001

export const usersPerOffice = 10

/** A thousand offices with a thousand cases each. */
export const offices: readonly number[] = Array.from({ length: 1_000 }, (_, index) => first + index)
export const casesPerOffice = 1_000

/** One more office with a million cases. */
export const largeOffice = first + offices.length
export const casesOfLargeOffice = 1_000_000

/** Offices for the writes of peers: one of them, or all. */
export const officeOfPeers = largeOffice + 1
export const officesOfPeers: readonly number[] = offices.map((_, index) => officeOfPeers + index)

/** One of the thousand. */
export const smallOffice = first
export const tagsOfSmallOffice = 1_000

/** The ids of users are derived from that of their office. */
export const userOf = (customerId: number, number = 1): Person => ({ customerId, userId: customerId * 100 + number })

/** Those of the thousand whose people are also in auth. */
export const publishingOffices = offices.slice(0, 100)
