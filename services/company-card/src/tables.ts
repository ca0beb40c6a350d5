import { officeRows, type Tables, versioned } from '@caseway/kit/tables'

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  company_cards: [officeRows(), versioned()],
  published_company_cards: [officeRows()],
  company_card_logos: [officeRows()],

  // Copy of what auth owns.
  customers: [officeRows('id')],
}
