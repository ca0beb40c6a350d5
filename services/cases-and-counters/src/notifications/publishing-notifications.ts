import type { Id } from '@caseway/kit/caller'
import type { BatchStatement, ParamOf, RawBuilder } from '@caseway/kit/database'

interface OfOffice {
  readonly customerId: Id
}

/** Makes the statement that writes notifications (RETURNING id and user_id) and publishes them to the live streams of their office. */
export type PublishingNotifications = <Query extends OfOffice>(
  write: (param: ParamOf<Query>) => RawBuilder<unknown>,
) => (query: Query) => BatchStatement
