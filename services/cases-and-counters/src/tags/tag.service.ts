import type { Employee, Id } from '@caseway/kit/caller'
import { nonexistent } from '@caseway/kit/errors'
import type { Users } from '@caseway/people'
import type { TagRepository } from './tag.repository.js'
import type { NewTag, TagChanges } from './tag.resource.js'

export const tagService = (tags: TagRepository, users: Users) => ({
  ...tags,

  fieldErrors: async (caller: Employee, sent: TagChanges) => nonexistent(await users.missing(caller, { user_id: sent.userId })),

  async create(caller: Employee, input: NewTag) {
    await users.mustExist(caller, { user_id: input.userId })
    return tags.create(caller, { userId: caller.userId, ...input })
  },

  async change(caller: Employee, id: Id, changes: TagChanges, expected?: number) {
    await users.mustExist(caller, { user_id: changes.userId })
    await tags.change(caller, id, changes, expected)
  },
})
