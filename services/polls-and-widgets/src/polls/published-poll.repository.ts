import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { questionsOf } from './poll-blocks.js'
import type { PublishedPoll, PublishedPolls } from './published-poll.js'

interface Asked {
  readonly customerId: Id
  readonly widgetId: Id
}

export const publishedPollRepository = (db: Db): PublishedPolls => ({
  async find(customerId, widgetId) {
    const [poll] = await db.query(office(customerId), newest({ customerId, widgetId }))
    return poll && { ...poll, blocks: JSON.parse(poll.blocks) }
  },

  async versions(customerId, pollId) {
    const rows = await db.read(office(customerId)).pollVersion.findMany({ where: { customerId, pollId }, orderBy: { version: 'desc' } })
    return rows.map(({ version, blocks }) => ({ version, questions: questionsOf(JSON.parse(blocks)) }))
  },
})

type Row = Omit<PublishedPoll, 'blocks'> & { readonly blocks: string }

const newest = prepared(
  (param: ParamOf<Asked>) => sql<Row>`
    SELECT poll.id AS "pollId", published.version, published.name, published.blocks, poll.closes_at AS "closesAt"
    FROM polls poll JOIN poll_versions published ON published.poll_id = poll.id AND published.version = poll.published_version
    WHERE poll.customer_id = ${param(({ customerId }) => customerId)} AND poll.published_at IS NOT NULL
      AND (poll.chat_widget_id IS NULL OR poll.chat_widget_id = ${param(({ widgetId }) => widgetId)})
    ORDER BY poll.published_at DESC, poll.id DESC LIMIT 1`,
)
