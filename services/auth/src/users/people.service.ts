import type { Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { PeopleRepository } from './people.repository.js'

export const peopleService = (people: PeopleRepository) => ({
  async user(customerId: Id, id: Id) {
    const user = await people.user(customerId, id)
    if (!user) throw notFound()
    return user
  },

  async link(customerId: Id, clientId: Id) {
    const link = await people.link(customerId, clientId)
    if (!link) throw notFound()
    return link
  },

  async group(customerId: Id, id: Id) {
    const group = await people.group(customerId, id)
    if (!group) throw notFound()
    return group
  },
})

export type PeopleService = ReturnType<typeof peopleService>
