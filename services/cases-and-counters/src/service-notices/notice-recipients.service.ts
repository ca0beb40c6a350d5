import type { Id } from '@caseway/kit/caller'
import type { Users } from '@caseway/people'

/** The recipients of a notice about something that a person has set up for their office. */
export type RecipientsOf = (customerId: Id, creatorId: Id) => Promise<readonly Id[]>

interface Parts {
  readonly users: Pick<Users, 'missing'>
  /** @throws AppError `unavailable` */
  usersWithRight(customerId: Id, right: string): Promise<readonly Id[]>
}

/** The person who set it up, or, once they no longer work at the office, everybody with the right to manage integrations and webhooks. */
export const noticeRecipients =
  ({ users, usersWithRight }: Parts): RecipientsOf =>
  async (customerId, creatorId) => {
    const missing = await users.missing({ customerId }, { user_id: creatorId })
    return missing.length === 0 ? [creatorId] : usersWithRight(customerId, 'integrations.manage')
  }
