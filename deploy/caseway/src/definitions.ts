import { auth } from '@caseway/auth/wiring'
import { casesAndCounters } from '@caseway/cases-and-counters/wiring'
import { companyCard } from '@caseway/company-card/wiring'
import { files } from '@caseway/files/wiring'
import { mail } from '@caseway/mail/wiring'
import { partner } from '@caseway/partner/wiring'
import { pollsAndWidgets } from '@caseway/polls-and-widgets/wiring'

/** The definitions of all services, in the order of the registry. */
export const definitions = [auth, casesAndCounters, files, companyCard, pollsAndWidgets, partner, mail] as const
