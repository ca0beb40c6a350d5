import { experts } from '@caseway/kit/caller'
import { email, flagText, idText, line, nullable, paragraph, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

export const providerResource = defineResource({
  name: 'Provider',
  path: 'provider',
  table: 'providers',
  fields: {
    id: idText,
    customer_id: idText,
    name: required(line({ max: 255 })),
    tax_number: writable(nullable(line({ max: 40 }))),
    email: writable(nullable(email)),
    phone: writable(nullable(line({ max: 40 }))),
    address: writable(nullable(paragraph({ max: 1000 }))),
    active: writable(flagText),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['active'],
  sort: ['id', 'name', 'modified'],
  unindexed: { active: 'An index of two values does not help: all providers of the office are read.' },
  roles: { create: experts, update: experts, remove: experts },
})

export type NewProvider = InputOf<typeof providerResource>
export type ProviderChanges = ChangesOf<typeof providerResource>
