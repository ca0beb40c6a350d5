import { email, idText, line, nullable, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource } from '@caseway/kit/resource'
import { newPassword } from '../passwords/new-password.field.js'

/** A client's own account, which is the same for all offices. */
export const ownAccountResource = defineResource({
  name: 'Client',
  path: 'client',
  table: 'clients',
  audience: 'client',
  ownedBy: 'id',
  fields: {
    id: idText,
    email,
    firstname: required(line({ max: 100 })),
    lastname: required(line({ max: 100 })),
    phone: writable(nullable(line({ max: 40 }))),
    password: newPassword,
    created: timestamp,
    modified: timestamp,
  },
})

export type OwnAccountChanges = ChangesOf<typeof ownAccountResource>
export type OwnNames = Omit<OwnAccountChanges, 'password'>
