import { officeRows, type Tables, versioned } from '@caseway/kit/tables'

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  customers: [officeRows('id')],
  polls: [officeRows(), versioned()],
  poll_versions: [officeRows()],
  poll_answers: [officeRows(), versioned()],
  poll_counts: [officeRows()],
  chat_widgets: [officeRows(), versioned()],
}
