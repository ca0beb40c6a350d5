import type { Employee } from '@caseway/kit/caller'
import type { Users } from '@caseway/people'
import type { TagRepository } from './tag.repository.js'
import type { NewTag } from './tag.resource.js'

export const tagService = (tags: TagRepository, users: Users) => ({
  ...tags,

  async create(caller: Employee, input: NewTag) {
    await users.mustExist(caller, { user_id: input.userId })
    return tags.create(caller, { userId: caller.userId, ...input })
  },
})
