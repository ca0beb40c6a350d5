import { impersonal, officeRows, personal, type Tables, versioned, written } from '@caseway/kit/tables'

const isTheirs = 'lower("poll_answers"."email") = ANY (person.emails)'

/** Who reads and writes the rows of each table: row-level security, and what else PostgreSQL itself keeps. */
export const tables: Tables = {
  customers: [officeRows('id'), impersonal('time_zone')],
  polls: [officeRows(), versioned(), impersonal('name', 'blocks')],
  poll_versions: [officeRows(), impersonal('name', 'blocks')],
  poll_answers: [
    officeRows(),
    versioned(),
    // Before it is forgotten whose they are.
    written(['poll_json'], { own: isTheirs }),
    personal(isTheirs, {
      ...{ email: 'NULL', firstname: 'NULL', lastname: 'NULL', phone: 'NULL', company: 'NULL' },
      user_ip: "''",
    }),
  ],
  poll_counts: [officeRows()],
  chat_widgets: [officeRows(), versioned(), impersonal('url', 'settings')],
}
