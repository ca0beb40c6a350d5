import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'

/** Queries of cases-and-counters, which owns the contacts. */
export interface ContactDirectory {
  /** All persons of providers, page by page, each with the revision of its last event. */
  providerPersons(): AsyncIterable<ContactEvent[]>
}
