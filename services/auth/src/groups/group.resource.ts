import { experts } from '@caseway/kit/caller'
import { idText, line, required, timestamp } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, many } from '@caseway/kit/resource'
import { userGroupResource } from './user-group.resource.js'

const few = 'An office has some dozen groups.'

const groups = {
  name: 'Group',
  table: 'groups',
  where: { deleted: false },
  fields: {
    id: idText,
    name: required(line({ max: 100 })),
    created: timestamp,
    modified: timestamp,
  },
  sort: ['id', 'name', 'modified'],
  unindexed: { name: few, modified: few },
  roles: { create: experts, update: experts, remove: experts },
} as const

export const groupResource = defineResource({ ...groups, path: 'group' })

const { user_id, group_id } = userGroupResource.fields

/** The groups with their members. */
export const groupMembersResource = defineResource({
  ...groups,
  documentedAs: 'GroupMembers',
  path: userGroupResource.path,
  embedded: { UserGroup: many('group_id', { user_id, group_id }) },
})

export type NewGroup = InputOf<typeof groupResource>
export type GroupChanges = ChangesOf<typeof groupResource>
