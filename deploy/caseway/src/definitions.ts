import { auth } from '@caseway/auth/wiring'
import { casesAndCounters } from '@caseway/cases-and-counters/wiring'
import { files } from '@caseway/files/wiring'

/** The definition of every service of the registry, in its order. */
export const definitions = [auth, casesAndCounters, files] as const
