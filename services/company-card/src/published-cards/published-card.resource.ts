import { line } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import { contents } from '../company-cards/company-card-fields.js'

/** A published card. */
export const publishedCardResource = defineResource({
  name: 'CompanyCard',
  documentedAs: 'PublishedCompanyCard',
  path: 'company_cards',
  table: 'published_company_cards',
  audience: 'client',
  idField: 'hash',
  fields: { hash: line({ max: 32 }), ...contents },
})
