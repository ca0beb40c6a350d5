import type { Id } from '@caseway/kit/caller'
import { type ParamOf, prepared, sql } from '@caseway/kit/database'
import { type Link, stateOf } from './link.js'

export const table = 'client_links'

export const rowOf = (link: Link) => {
  const { id, customerId, clientId, revision } = link
  const state = stateOf(link)
  return { id, customer_id: customerId, client_id: clientId, linked: state === 'active', state, state_revision: revision, revision }
}

interface Pair {
  readonly customerId: Id
  readonly clientId: Id
}

const pair = (param: ParamOf<Pair>) =>
  sql`customer_id = ${param(({ customerId }) => customerId)} AND client_id = ${param(({ clientId }) => clientId)}`

export const activeLink = prepared((param: ParamOf<Pair>) => sql`SELECT FROM client_links WHERE ${pair(param)} AND linked`)

export const activeOffices = prepared(
  (param: ParamOf<Id>) =>
    sql<{ customerId: Id }>`SELECT customer_id AS "customerId" FROM client_links WHERE client_id = ${param((id) => id)} AND linked`,
)

/** Locks a link until the transaction ends, in share mode: writers of one office do not wait for each other. */
export const lockPair = prepared(
  (param: ParamOf<Pair>) =>
    sql<{ linked: boolean; open: boolean }>`SELECT linked, is_open(link) AS open FROM client_links AS link WHERE ${pair(param)} FOR SHARE`,
)

/** Locks links until the transaction ends, in the order of their ids. */
export const lockAll = prepared(
  (param: ParamOf<readonly Id[]>) => sql<{ id: Id; open: boolean }>`
    SELECT id, is_open(link) AS open FROM client_links AS link WHERE id = ANY (${param((ids) => ids)}::bigint[]) ORDER BY id FOR UPDATE`,
)

/**
 * Links of which an older build has stored the revision without the state: lowers the revision, so that the same one is accepted again with its
 * state.
 */
export const admitMissingStates = prepared(
  (param: ParamOf<readonly Id[]>) => sql`
    UPDATE client_links SET revision = revision - 1 WHERE id = ANY (${param((ids) => ids)}::bigint[]) AND state_revision IS DISTINCT FROM revision`,
)

/** Links that give a client access, and that the snapshot has not contained since `forgetRevisions`. */
export const forgottenLinks = prepared(
  () => sql<Pair & { id: Id }>`
    SELECT id, customer_id AS "customerId", client_id AS "clientId" FROM client_links AS link WHERE revision = -1 AND is_open(link)`,
)
