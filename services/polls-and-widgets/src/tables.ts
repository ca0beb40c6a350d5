import { copied, foreignIds, impersonal, imported, newId, officeRows, personal, type Tables, versioned, written } from '@caseway/kit/tables'

const isTheirs = 'lower("poll_answers"."email") = ANY (person.emails)'

/** SQL of the blocks without the contact, which has more data than those by which a person is found. */
const withoutContact = `(
  SELECT json_agg(CASE block->>'type' WHEN 'contact' THEN '{"type":"contact","data":{}}' ELSE block END ORDER BY place)::text
  FROM json_array_elements("poll_answers"."poll_json"::json) WITH ORDINALITY AS blocks (block, place))`

const [polls, widgets] = ['polls-and-widgets.polls', 'polls-and-widgets.chat_widgets']

/** The rules of each table that PostgreSQL enforces, such as row-level security. */
export const tables: Tables = {
  customers: [officeRows('id'), copied(), impersonal('time_zone')],
  polls: [officeRows(), versioned(), impersonal('name', 'blocks'), foreignIds({ chat_widget_id: widgets })],
  poll_versions: [officeRows(), impersonal('name', 'blocks'), foreignIds({ poll_id: polls })],
  poll_answers: [
    officeRows(),
    versioned(),
    // Runs first, because the next rule erases the columns by which the answers of the person are found.
    written(['poll_json'], { own: isTheirs, json: true }),
    impersonal('facts'),
    personal(isTheirs, {
      ...{ email: 'NULL', firstname: 'NULL', lastname: 'NULL', phone: 'NULL', company: 'NULL' },
      user_ip: "''",
      poll_json: withoutContact,
    }),
    foreignIds({ chat_widget_id: widgets }),
    // Where no poll was published, it is the id of the widget.
    imported({ poll_id: `CASE WHEN poll_version IS NULL THEN ${newId(widgets, 'poll_id')} ELSE ${newId(polls, 'poll_id')} END` }),
  ],
  poll_counts: [officeRows(), foreignIds({ poll_id: polls })],
  chat_widgets: [officeRows(), versioned(), impersonal('url', 'settings')],
}
