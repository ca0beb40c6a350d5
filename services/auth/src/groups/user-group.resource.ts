import { experts } from '@caseway/kit/caller'
import { idText, once, required, timestamp } from '@caseway/kit/fields'
import { defineResource, type InputOf } from '@caseway/kit/resource'

/** The membership of a person in a group. */
export const userGroupResource = defineResource({
  name: 'UserGroup',
  path: 'group/user_group',
  table: 'user_groups',
  fields: {
    id: idText,
    user_id: required(once(idText)),
    group_id: required(once(idText)),
    created: timestamp,
    modified: timestamp,
  },
  roles: { create: experts },
})

export type Membership = InputOf<typeof userGroupResource>
