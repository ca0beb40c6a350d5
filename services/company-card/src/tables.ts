import { copied, foreignIds, impersonal, imported, notImported, officeRows, type Tables, versioned } from '@caseway/kit/tables'

const said = [
  ...['hash', 'name', 'short_description', 'description', 'phone', 'email', 'url', 'opening_hours', 'contact_method', 'scope_of_service'],
  ...['street', 'zip', 'city', 'city_slug', 'logo_filename'],
]

/** The rules of each table that PostgreSQL enforces, such as row-level security. */
export const tables: Tables = {
  company_cards: [
    officeRows(),
    versioned(),
    impersonal(...said, 'changes_request_details'),
    // An approval by the operator of another installation does not count.
    imported({ status: 'CASE status WHEN 2 THEN 1 ELSE status END', is_verified: 'false' }),
  ],
  published_company_cards: [officeRows(), impersonal(...said), notImported('The operator of this installation has to approve it.')],
  company_card_logos: [officeRows(), impersonal('mime', 'sha256', 'bytes'), foreignIds({ card_id: 'company-card.company_cards' })],

  // Copy of what auth owns.
  customers: [officeRows('id'), copied(), impersonal('time_zone', 'name', 'street', 'zip', 'city', 'phone', 'email', 'url')],
}
