import type { Id } from '@caseway/kit/caller'
import type { Users } from '@caseway/people'

/** Who is told of something that a person has made for their office. */
export type RecipientsOf = (customerId: Id, makerId: Id) => Promise<readonly Id[]>

interface Parts {
  readonly users: Pick<Users, 'missing'>
  /** @throws AppError `unavailable` */
  usersWithRight(customerId: Id, right: string): Promise<readonly Id[]>
}

/** The maker, or where they do not work at the office any more, everybody there who manages integrations and webhooks. */
export const noticeRecipients =
  ({ users, usersWithRight }: Parts): RecipientsOf =>
  async (customerId, makerId) => {
    const gone = await users.missing({ customerId }, { user_id: makerId })
    return gone.length === 0 ? [makerId] : usersWithRight(customerId, 'integrations.manage')
  }
