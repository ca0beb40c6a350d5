import type { Employee } from '@caseway/kit/caller'
import type { PeopleService } from '../people/people.service.js'
import type { TagRepository } from './tag.repository.js'
import type { NewTag } from './tag.resource.js'

export const tagService = (tags: TagRepository, people: PeopleService) => ({
  ...tags,

  async create(caller: Employee, input: NewTag) {
    await people.mustExist(caller, { users: { user_id: input.userId } })
    return tags.create(caller, { userId: caller.userId, ...input })
  },
})
