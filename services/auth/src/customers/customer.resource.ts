import {
  choice,
  email,
  flagText,
  idText,
  integerText,
  line,
  nullable,
  required,
  timestamp,
  webAddress,
  writable,
  zone,
} from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type RecordOf } from '@caseway/kit/resource'

/** The caller's own office. */
export const customerResource = defineResource({
  name: 'Customer',
  path: 'customer',
  table: 'customers',
  fields: {
    id: idText,
    name: required(line({ max: 255 })),
    tax_number: writable(nullable(line({ max: 32 }))),
    street: writable(nullable(line({ max: 255 }))),
    zip: writable(nullable(line({ max: 16 }))),
    city: writable(nullable(line({ max: 100 }))),
    voivodeship: writable(nullable(integerText({ min: 1, max: 16 }))),
    phone: writable(nullable(line({ max: 40 }))),
    email: writable(nullable(email)),
    url: writable(nullable(webAddress)),
    time_zone: required(zone),
    language: required(choice('pl', 'en')),
    second_factor: writable(flagText),
    sentences_by_mail: writable(flagText),
    created: timestamp,
    modified: timestamp,
  },
  roles: { update: ['administrator'] },
})

export type CustomerRecord = RecordOf<typeof customerResource>
export type CustomerChanges = ChangesOf<typeof customerResource>
