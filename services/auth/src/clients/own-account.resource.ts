import { type ChangesOf, defineResource, email, idText, line, nullable, readOnly, timestamp } from '@caseway/kit/resource'

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
    created: timestamp,
    modified: timestamp,
  },
  update: ['firstname', 'lastname', 'phone'],
})

export type OwnAccountChanges = ChangesOf<typeof ownAccountResource>
