import { idText, line, paragraph, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

export const companyCardResource = defineResource({
  name: 'CompanyCard',
  path: 'company_card',
  table: 'company_cards',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: idText,
    title: required(line({ max: 200 })),
    text: writable(paragraph({ max: 10_000 })),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['user_id'],
  sort: ['id', 'title', 'modified'],
})

export type NewCompanyCard = InputOf<typeof companyCardResource>
export type CompanyCardChanges = ChangesOf<typeof companyCardResource>
