import type { Databases } from '../platform/databases.js'

const names = "'Ada', 'Nowak'"

/** Adds clients of an office, whom the external platform knows as `bench-1` and so on, with a business card each. */
export async function seedClients({ auth, cases }: Databases, customerId: number, count: number): Promise<void> {
  const made = await auth.rows<{ id: string }>(
    `INSERT INTO clients (email, firstname, lastname, external_user_id)
     SELECT 'bench-' || n || '@client.test', ${names}, 'bench-' || n FROM generate_series(1, $1::int) AS n RETURNING id::text`,
    [count],
  )
  const ids = made.map(({ id }) => id)
  await auth.rows(
    `INSERT INTO client_links (customer_id, user_client_id, state, firstname, lastname)
     SELECT $1, id, 'active', ${names} FROM unnest($2::bigint[]) AS id`,
    [customerId, ids],
  )
  await cases.rows(
    `INSERT INTO issue_initiators (customer_id, first_name, last_name, user_client_id) SELECT $1, ${names}, id FROM unnest($2::bigint[]) AS id`,
    [customerId, ids],
  )
}
