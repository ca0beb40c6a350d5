import type { Id } from '@caseway/kit/caller'
import { type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Follower } from '../issues/issue-change.js'

interface Of {
  readonly customerId: Id
  readonly issueId: Id
}

const ofCase = (param: ParamOf<Of>) =>
  sql`customer_id = ${param(({ customerId }) => customerId)} AND issue_id = ${param(({ issueId }) => issueId)}`

const deleteAll = prepared((param: ParamOf<Of>) => sql`DELETE FROM issue_sentences WHERE ${ofCase(param)}`)

/** Assigns the sent sentences of a case to its new client. Unsent ones have no client. */
const giveTo = prepared((param: ParamOf<Of & { clientId: Id | null }>) => {
  const clientId = param(({ clientId }) => clientId)
  return sql`UPDATE issue_sentences SET user_client_id = ${clientId} WHERE ${ofCase(param)} AND status = 'sent'`
})

/** Deletes the sentences of a deleted case, and assigns those of a case that gets another client. */
export const followCase: Follower = ({ before, after }) => {
  if (!before) return []
  const of = { customerId: before.customerId, issueId: before.id }
  if (!after) return [deleteAll(of)]
  return after.userClientId === before.userClientId ? [] : [giveTo({ ...of, clientId: after.userClientId })]
}
