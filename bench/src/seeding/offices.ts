import type { Person } from '../platform/tokens.js'

/** Far from the ids that the demo has. */
const first = 1_000_001

export const usersPerOffice = 10

/** A thousand offices with a thousand cases each. */
export const offices: readonly number[] = Array.from({ length: 1_000 }, (_, index) => first + index)
export const casesPerOffice = 1_000

/** One more, with a million. */
export const largeOffice = first + offices.length
export const casesOfLargeOffice = 1_000_000

/** And those that peers write into: one of them, or all. */
export const officeOfPeers = largeOffice + 1
export const officesOfPeers: readonly number[] = offices.map((_, index) => officeOfPeers + index)

/** An office with as many cases as each of the thousand. */
export const smallOffice = first
export const tagsOfSmallOffice = 1_000

/** The users of an office have ids that follow from its own. */
export const userOf = (customerId: number, number = 1): Person => ({ customerId, userId: customerId * 100 + number })

/** Those of the thousand whose people auth knows as well. */
export const publishingOffices = offices.slice(0, 100)
