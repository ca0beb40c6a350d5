import type { Id } from '@caseway/kit/caller'
import {
  email,
  flagInteger,
  idInteger,
  idText,
  integer,
  jsonText,
  line,
  nullable,
  paragraph,
  required,
  timestamp,
  webAddress,
  writable,
} from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import Type from 'typebox'
import { openingHours } from './opening-hours.field.js'

/** An object with some of the keys from 1 to `last`, each true or false, as JSON in a string. */
const choices = (last: number) => {
  const keys = Array.from({ length: last }, (_, i) => [String(i + 1), Type.Optional(Type.Boolean())])
  return writable(jsonText(Type.Object(Object.fromEntries(keys), { additionalProperties: false })))
}

/** What the public sees of a card. */
export const contents = {
  name: required(line({ max: 255 })),
  short_description: writable(nullable(paragraph({ max: 500 }))),
  description: writable(nullable(paragraph({ max: 10_000 }))),
  phone: writable(nullable(line({ max: 40 }))),
  email: writable(nullable(email)),
  url: writable(nullable(webAddress)),
  opening_hours: writable(openingHours),
  street: required(line({ max: 255 })),
  zip: required(line({ max: 16 })),
  city: required(line({ max: 100 })),
  city_slug: line({ max: 255 }),
  voivodeship: writable(nullable(integer({ min: 1, max: 16 }))),
  contact_method: choices(4),
  scope_of_service: choices(11),
  logo_filename: nullable(line({ max: 255 })),
}

const { logo_filename, ...written } = contents

export const companyCardResource = defineResource({
  name: 'CompanyCard',
  path: 'company_card',
  table: 'company_cards',
  fields: {
    id: nullable(idInteger),
    customer_id: idText,
    hash: nullable(line({ max: 32 })),
    ...written,
    is_verified: flagInteger,
    logo_filename,
    changes_request_details: paragraph({ max: 2000 }),
    status: integer({ min: 0, max: 3 }),
    created: nullable(timestamp),
    modified: nullable(timestamp),
  },
  roles: { create: ['administrator', 'expert'], update: ['administrator', 'expert'] },
  right: 'company_card.manage',
})

export type CompanyCardRecord = RecordOf<typeof companyCardResource>
export type NewCompanyCard = InputOf<typeof companyCardResource>
export type CompanyCardChanges = ChangesOf<typeof companyCardResource>

/** A version of a card that is public. */
export type PublishedCard = Omit<
  CompanyCardRecord,
  'id' | 'hash' | 'isVerified' | 'changesRequestDetails' | 'status' | 'created' | 'modified' | 'version'
> & { readonly id: Id; readonly hash: string; readonly revision: number }
