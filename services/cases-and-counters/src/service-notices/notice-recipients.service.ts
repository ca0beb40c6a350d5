import type { Id } from '@caseway/kit/caller'
import type { Users } from '@caseway/people'

/** Who is told of something that a person has made for their office. */
export type RecipientsOf = (customerId: Id, makerId: Id) => Promise<readonly Id[]>

interface Parts {
  readonly users: Pick<Users, 'missing'>
  readonly people: { activeIn(customerId: Id): Promise<readonly Id[]> }
  /** @throws AppError `unavailable` */
  rightsOf(customerId: Id, userId: Id): Promise<readonly string[]>
}

/** The maker, or where they do not work at the office any more, everybody there who manages integrations and webhooks. */
export const noticeRecipients =
  ({ users, people, rightsOf }: Parts): RecipientsOf =>
  async (customerId, makerId) => {
    const gone = await users.missing({ customerId }, { user_id: makerId })
    if (gone.length === 0) return [makerId]
    const managers: Id[] = []
    for (const id of await people.activeIn(customerId))
      if ((await rightsOf(customerId, id)).includes('integrations.manage')) managers.push(id)
    return managers
  }
