import { type EmbeddableReads, sql } from '@caseway/kit/database'

/** The client is embedded as on their newest business card at the office. */
export const boardReads: EmbeddableReads = {
  Client: ({ customerId, ids }) => sql`
    SELECT DISTINCT ON (user_client_id) user_client_id AS id, first_name, last_name, email, phone, company_name FROM issue_initiators
    WHERE customer_id = ${customerId} AND user_client_id = ANY (${ids}::bigint[]) ORDER BY user_client_id, issue_initiators.id DESC`,
  User: ({ customerId, ids }) => sql`
    SELECT id, email, firstname, lastname FROM users WHERE customer_id = ${customerId} AND id = ANY (${ids}::bigint[])`,
  Tag: ({ customerId, ids }) => sql`
    SELECT issue_id, tags.id, name, color_background, color_text FROM issue_tags JOIN tags ON tags.id = tag_id
    WHERE issue_tags.customer_id = ${customerId} AND issue_id = ANY (${ids}::bigint[]) ORDER BY name, tags.id`,
  last_sentence: ({ customerId, ids }) => sql`
    SELECT sentence.* FROM unnest(${ids}::bigint[]) AS issue (id) CROSS JOIN LATERAL (
      SELECT * FROM issue_sentences WHERE customer_id = ${customerId} AND issue_id = issue.id ORDER BY said DESC, id DESC LIMIT 1
    ) AS sentence`,
}

export const clientBoardReads: EmbeddableReads = {
  last_sentence: ({ userId, ids }) => sql`
    SELECT sentence.* FROM unnest(${ids}::bigint[]) AS issue (id) CROSS JOIN LATERAL (
      SELECT * FROM issue_sentences WHERE user_client_id = ${userId} AND issue_id = issue.id ORDER BY said DESC, id DESC LIMIT 1
    ) AS sentence`,
}
