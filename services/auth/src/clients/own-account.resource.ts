import { type ChangesOf, defineResource, email, idText, line, nullable, readOnly, timestamp } from '@caseway/kit/resource'
import { newPassword } from '../passwords/new-password.field.js'

/** A client's own account, the same for all offices. */
export const ownAccountResource = defineResource({
  name: 'Client',
  path: 'client',
  table: 'clients',
  audience: 'client',
  ownedBy: 'id',
  fields: {
    id: idText,
    email: readOnly(email),
    firstname: line({ max: 100 }),
    lastname: line({ max: 100 }),
    phone: nullable(line({ max: 40 })),
    password: newPassword,
    created: timestamp,
    modified: timestamp,
  },
  update: ['firstname', 'lastname', 'phone', 'password'],
})

export type OwnAccountChanges = ChangesOf<typeof ownAccountResource>
export type OwnNames = Omit<OwnAccountChanges, 'password'>
