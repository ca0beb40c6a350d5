import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, platform, prepared, type RawBuilder, sql } from '@caseway/kit/database'
import { isWidgetHash } from '../chat-widgets/widget-hash.js'
import type { Db } from '../database.js'
import { questionsOf } from './poll-blocks.js'
import type { OpenPoll, PublishedPoll, PublishedPolls } from './published-poll.js'

interface Asked {
  readonly customerId: Id
  readonly widgetId: Id
}

export const publishedPollRepository = (db: Db): PublishedPolls => ({
  async find(customerId, widgetId) {
    const [poll] = await db.query(office(customerId), newest({ customerId, widgetId }))
    return poll && { ...poll, blocks: JSON.parse(poll.blocks) }
  },

  async findOpen(hash) {
    const [poll] = isWidgetHash(hash) ? await db.query(platform, open({ hash })) : []
    return poll && { ...poll, blocks: JSON.parse(poll.blocks) }
  },

  async versions(customerId, pollId) {
    const rows = await db.read(office(customerId)).pollVersion.findMany({ where: { customerId, pollId }, orderBy: { version: 'desc' } })
    return rows.map(({ version, blocks }) => ({ version, questions: questionsOf(JSON.parse(blocks)) }))
  },
})

type Row<Poll = PublishedPoll> = Omit<Poll, 'blocks'> & { readonly blocks: string }

const newestOf = (customerId: unknown, widgetId: unknown): RawBuilder<Row> => sql<Row>`
  SELECT poll.id AS "pollId", published.version, published.name, published.blocks, poll.closes_at AS "closesAt"
  FROM polls poll JOIN poll_versions published ON published.poll_id = poll.id AND published.version = poll.published_version
  WHERE poll.customer_id = ${customerId} AND poll.published_at IS NOT NULL
    AND (poll.chat_widget_id IS NULL OR poll.chat_widget_id = ${widgetId})
  ORDER BY poll.published_at DESC, poll.id DESC LIMIT 1`

const newest = prepared((param: ParamOf<Asked>) =>
  newestOf(
    param(({ customerId }) => customerId),
    param(({ widgetId }) => widgetId),
  ),
)

/** One statement, so that the time of an answer does not tell a widget that there is not from one whose poll has closed. */
const open = prepared(
  (param: ParamOf<{ readonly hash: string }>) => sql<Row<OpenPoll>>`
    SELECT newest.*, widget.customer_id AS "customerId", widget.external_hash AS "externalHash", widget.url
    FROM chat_widgets widget, LATERAL (${newestOf(sql.ref('widget.customer_id'), sql.ref('widget.id'))}) AS newest
    WHERE widget.external_hash = ${param(({ hash }) => hash)}::uuid AND (newest."closesAt" IS NULL OR newest."closesAt" > now())`,
)
