import { experts } from '@caseway/kit/caller'
import {
  type ChangesOf,
  defineResource,
  email,
  flagText,
  type InputOf,
  idText,
  line,
  nullable,
  type RowOf,
  readOnly,
  timestamp,
} from '@caseway/kit/resource'
import { newPassword } from '../passwords/new-password.field.js'

export const userResource = defineResource({
  name: 'User',
  path: 'user',
  table: 'users',
  fields: {
    id: idText,
    customer_id: idText,
    email,
    firstname: line({ max: 100 }),
    lastname: line({ max: 100 }),
    phone: nullable(line({ max: 40 })),
    user_role_id: idText,
    active: flagText,
    last_login: readOnly(nullable(timestamp)),
    password: newPassword,
    created: timestamp,
    modified: timestamp,
  },
  create: ['email', 'firstname', 'lastname', 'phone', 'user_role_id', 'active', 'password'],
  required: ['email', 'firstname', 'lastname'],
  update: ['email', 'firstname', 'lastname', 'phone', 'user_role_id', 'active', 'password'],
  filter: ['user_role_id', 'active'],
  sort: ['id', 'lastname', 'modified'],
  unindexed: { active: 'One of two values: the users of the office are read.' },
  roles: { create: experts, update: experts, remove: experts },
})

export type UserRow = RowOf<typeof userResource>
export type NewUser = InputOf<typeof userResource>
export type UserChanges = ChangesOf<typeof userResource>
