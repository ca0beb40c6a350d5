import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import { isWidgetHash } from '../chat-widgets/widget-hash.js'
import type { Db } from '../database.js'
import { questionsOf } from './poll-blocks.js'
import type { PublishedPoll, PublishedPolls, PublishedWidget } from './published-poll.js'

export const publishedPollRepository = (db: Db): PublishedPolls => ({
  async find(hash, customerId) {
    const [row] = isWidgetHash(hash) ? await db.pipelined.query(platform, find({ hash, customerId })) : []
    return row && { ...row, poll: pollOf(row) }
  },

  async versions(customerId, pollId) {
    const rows = await db.read(office(customerId)).pollVersion.findMany({ where: { customerId, pollId }, orderBy: { version: 'desc' } })
    return rows.map(({ version, blocks }) => ({ version, questions: questionsOf(JSON.parse(blocks)) }))
  },
})

type Widget = Omit<PublishedWidget, 'poll'>
type Poll = Omit<PublishedPoll, 'blocks'> & { readonly blocks: string }
type Row = Widget & (Poll | Record<keyof Poll, null>)

const pollOf = ({ pollId, version, name, blocks, closesAt }: Row): PublishedPoll | undefined =>
  pollId === null ? undefined : { pollId, version, name, blocks: JSON.parse(blocks), closesAt }

interface Asked {
  readonly hash: string
  readonly customerId: Id | undefined
}

/** One statement for every case, so that response times do not reveal whether a widget is missing, belongs to another office, or has a closed poll. */
const find = prepared((param: ParamOf<Asked>) => {
  const customerId = sql`${param(({ customerId }) => customerId ?? null)}::bigint`
  return sql<Row>`
    SELECT widget.id, widget.customer_id AS "customerId", widget.external_hash AS "externalHash", widget.url, widget.settings, newest.*
    FROM chat_widgets widget LEFT JOIN LATERAL (
      SELECT poll.id AS "pollId", published.version, published.name, published.blocks, poll.closes_at AS "closesAt"
      FROM polls poll JOIN poll_versions published ON published.poll_id = poll.id AND published.version = poll.published_version
      WHERE poll.customer_id = widget.customer_id AND poll.published_at IS NOT NULL
        AND (poll.chat_widget_id IS NULL OR poll.chat_widget_id = widget.id)
      ORDER BY poll.published_at DESC, poll.id DESC LIMIT 1
    ) AS newest ON true
    WHERE widget.external_hash = ${param(({ hash }) => hash)}::uuid AND (${customerId} IS NULL OR widget.customer_id = ${customerId})`
})
