import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { Contact } from './issue-initiator.js'

export interface ContactQuery {
  readonly customerId: Id
  readonly clientId: Id
  /** In lower case. */
  readonly emails: readonly string[]
}

const known = prepared((param: ParamOf<ContactQuery>) => {
  const customer = sql`customer_id = ${param(({ customerId }) => customerId)}`
  const addressed = sql`lower(email) = ANY (${param(({ emails }) => emails)}::text[])`
  return sql<Contact>`
    WITH cards AS (
      SELECT id, first_name, last_name, email, phone, company_name FROM issue_initiators
      WHERE ${customer} AND (user_client_id = ${param(({ clientId }) => clientId)} OR ${addressed})
    )
    SELECT first_name AS "firstName", last_name AS "lastName", email, phone, company_name AS "companyName" FROM cards
    UNION ALL
    SELECT first_name, last_name, email, phone, NULL FROM provider_persons
    WHERE ${customer} AND (issue_initiator_id IN (SELECT id FROM cards) OR ${addressed})`
})

/** The contacts that an office has of one person: as a client, as a person of a provider, or by address. */
export const knownContactRepository = (db: Db) => ({
  ofClient: (query: ContactQuery): Promise<Contact[]> => db.query(office(query.customerId), known(query)),
})
