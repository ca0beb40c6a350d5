import { experts } from '@caseway/kit/caller'
import { email, flagText, idText, line, nullable, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RowOf } from '@caseway/kit/resource'
import { newPassword } from '../passwords/new-password.field.js'

export const userResource = defineResource({
  name: 'User',
  path: 'user',
  table: 'users',
  fields: {
    id: idText,
    customer_id: idText,
    email: required(email),
    firstname: required(line({ max: 100 })),
    lastname: required(line({ max: 100 })),
    phone: writable(nullable(line({ max: 40 }))),
    user_role_id: writable(idText),
    active: writable(flagText),
    last_login: nullable(timestamp),
    password: newPassword,
    created: timestamp,
    modified: timestamp,
  },
  filter: ['user_role_id', 'active'],
  sort: ['id', 'lastname', 'modified'],
  unindexed: { active: 'An index of two values does not help: all users of the office are read.' },
  roles: { create: experts, update: experts, remove: experts },
  right: 'users.manage',
})

export type UserRow = RowOf<typeof userResource>
export type NewUser = InputOf<typeof userResource>
export type UserChanges = ChangesOf<typeof userResource>
