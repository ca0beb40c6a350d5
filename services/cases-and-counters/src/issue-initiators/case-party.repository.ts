import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'

interface Query {
  readonly customerId: Id
  readonly issueId: Id
  readonly address: string
  /** The account of the client with this address. */
  readonly clientId: Id | null
}

const party = prepared((param: ParamOf<Query>) => {
  const address = sql`lower(${param(({ address }) => address)}::text)`
  const client = sql`${param(({ clientId }) => clientId)}::bigint`
  return sql`
    SELECT FROM issues AS issue
    LEFT JOIN issue_initiators AS initiator ON initiator.customer_id = issue.customer_id AND initiator.id = issue.issue_initiator_id
    LEFT JOIN providers AS provider ON provider.customer_id = issue.customer_id AND provider.id = issue.provider_id
    WHERE issue.customer_id = ${param(({ customerId }) => customerId)} AND issue.id = ${param(({ issueId }) => issueId)} AND (
      issue.user_client_id = ${client} OR initiator.user_client_id = ${client}
      OR lower(initiator.email) = ${address} OR lower(provider.email) = ${address}
      OR EXISTS (
        SELECT FROM provider_persons AS person
        WHERE person.customer_id = issue.customer_id AND person.provider_id = issue.provider_id AND lower(person.email) = ${address}))`
})

/** Whether a person or an address takes part in a case. */
export const casePartyRepository = (db: Db) => ({
  isParty: async (query: Query): Promise<boolean> => (await db.pipelined.query(office(query.customerId), party(query))).length > 0,
})
