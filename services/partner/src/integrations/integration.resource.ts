import { experts } from '@caseway/kit/caller'
import { idText, line, nullable } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'

/** An integration in lists. For the bodies and answers of POST and PUT see `integration.routes.ts`. */
export const integrationResource = defineResource({
  name: 'PartnerOauth2',
  path: 'partner_oauth2',
  table: 'integrations',
  fields: {
    id: idText,
    company_id: nullable(line({ max: 255 })),
    name: nullable(line({ max: 255 })),
    lump_tax_rate: nullable(line({ max: 6 })),
  },
  sort: ['id'],
  listAs: 'results',
  right: 'integrations.manage',
  roles: { create: experts, update: experts, remove: experts },
})
