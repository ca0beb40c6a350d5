import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'

/** What the owner of the contacts knows at this moment. */
export interface ContactDirectory {
  /** All there are, page by page, each with the revision of its last event. */
  providerPersons(): AsyncIterable<ContactEvent[]>
}
