import type { Employee, Id } from '@caseway/kit/caller'
import { nonexistent } from '@caseway/kit/errors'
import type { Users } from '@caseway/people'
import type { TagRepository } from './tag.repository.js'
import type { NewTag, TagChanges } from './tag.resource.js'

export const tagService = (tags: TagRepository, users: Users) => ({
  ...tags,

  fieldErrors: async (caller: Employee, { userId }: TagChanges, id?: Id) =>
    nonexistent(await users.missing(caller, { user_id: userId }, id === undefined ? undefined : () => tags.get(caller, id))),

  async create(caller: Employee, input: NewTag) {
    await users.mustExist(caller, { user_id: input.userId })
    return tags.create(caller, { userId: caller.userId, ...input })
  },

  async change(caller: Employee, id: Id, changes: TagChanges, expected?: number) {
    await users.mustExist(caller, { user_id: changes.userId }, () => tags.get(caller, id))
    await tags.change(caller, id, changes, expected)
  },
})
