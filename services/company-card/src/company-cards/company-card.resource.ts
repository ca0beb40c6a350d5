import { experts } from '@caseway/kit/caller'
import { flagInteger, idInteger, idText, integer, line, nullable, paragraph, timestamp } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import { manageRight } from './company-card.js'
import { contents } from './company-card-fields.js'

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
  roles: { create: experts, update: experts },
  right: manageRight,
})

export type CompanyCardRecord = RecordOf<typeof companyCardResource>
export type NewCompanyCard = InputOf<typeof companyCardResource>
export type CompanyCardChanges = ChangesOf<typeof companyCardResource>
