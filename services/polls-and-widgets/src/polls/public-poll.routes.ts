import { timestamp } from '@caseway/kit/fields'
import { publicAnswerSchemas, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import { widgetOriginHeaders } from '../chat-widgets/widget-origin.js'
import type { PublicPollService } from './public-poll.service.js'

const hash = Type.Object({ external_hash: Type.String({ description: 'The hash of the widget.' }) })

const Poll = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  blocks: Type.Array(Type.Unknown(), { description: 'The blocks that are filled in and sent to /poll_answers/save.' }),
  closes_at: Type.Union([Type.String({ description: 'YYYY-MM-DD HH:MM:SS in the time zone of the office.' }), Type.Null()]),
})

const schema = {
  ...{ operationId: 'getPublicPoll', tags: ['Poll'], params: hash },
  summary: 'The poll that was published last for a widget and has not closed. Pages of the origin of the widget can read the answer.',
  response: publicAnswerSchemas({ 200: Type.Object({ Poll }, { description: 'The poll.' }) }, 404, 429, 503),
}

export const publicPollRoutes =
  (polls: PublicPollService): Routes =>
  (app) => {
    app.get('/polls/:external_hash', { schema }, async ({ params }, reply) => {
      const poll = await polls.get(params.external_hash)
      reply.headers({ ...widgetOriginHeaders(poll), 'cache-control': 'max-age=60' })
      const { pollId, name, version, blocks, closesAt, customerId } = poll
      const closes_at = closesAt && timestamp.encode(closesAt, await app.space.zones(customerId))
      return { Poll: { id: String(pollId), name, version: String(version), blocks, closes_at } }
    })
  }
