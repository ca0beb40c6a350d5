import { experts } from '@caseway/kit/caller'
import { idText, integerText, line, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RowOf } from '@caseway/kit/resource'

const few = 'An office has some dozen roles.'

export const userRoleResource = defineResource({
  name: 'UserRole',
  path: 'user_role',
  table: 'user_roles',
  fields: {
    id: idText,
    customer_id: idText,
    name: required(line({ max: 100 })),
    base_role: writable(integerText({ min: 1, max: 4 })),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['base_role'],
  sort: ['id', 'name', 'modified'],
  unindexed: { base_role: few, name: few, modified: few },
  roles: { create: experts, update: experts, remove: experts },
  right: 'roles.manage',
})

export type UserRoleRow = RowOf<typeof userRoleResource>
export type NewUserRole = InputOf<typeof userRoleResource>
export type UserRoleChanges = ChangesOf<typeof userRoleResource>
