import { auth } from '@caseway/auth/wiring'
import { casesAndCounters } from '@caseway/cases-and-counters/wiring'

/** The definition of every service of the registry, in its order. */
export const definitions = [auth, casesAndCounters] as const
