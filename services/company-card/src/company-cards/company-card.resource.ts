import { flagInteger, idInteger, idText, integer, line, nullable, paragraph, timestamp } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import { contents } from './company-card-fields.js'

const { logo_filename, ...written } = contents

/** Who may change the card of their office. */
export const manageRight = 'company_card.manage'

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
  right: manageRight,
})

export type CompanyCardRecord = RecordOf<typeof companyCardResource>
export type NewCompanyCard = InputOf<typeof companyCardResource>
export type CompanyCardChanges = ChangesOf<typeof companyCardResource>
