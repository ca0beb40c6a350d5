import { invalid } from '@caseway/kit/errors'
import { FieldError, jsonText } from '@caseway/kit/fields'
import { networksOf, publicAnswerSchemas, type Routes, readJsonText } from '@caseway/kit/http'
import Type from 'typebox'
import { Blocks } from '../blocks/block.js'
import { widgetOriginHeaders } from '../chat-widgets/widget-origin.js'
import type { PollAnswerService } from './poll-answer.service.js'

const Saved = Type.Object({ id: Type.Integer({ minimum: 1 }) }, { description: 'Stored.' })

const schema = {
  ...{ operationId: 'savePollAnswer', tags: ['PollAnswer'], body: Blocks },
  summary: 'Stores the answers of one respondent. The error of an invalid block has the index of the block, from 0, as its key.',
  response: publicAnswerSchemas({ 201: Saved }, 400, 404, 413, 415, 429, 503),
}

const anyJson = jsonText(Type.Unknown())

/** Parses the blocks of an answer. @throws AppError `invalid` where the text is not an array that PostgreSQL can store */
function blocksIn(json: string): unknown[] {
  const text = anyJson.decode(json, 'UTC')
  if (text instanceof FieldError) throw invalid({ body: text.text })
  const blocks: unknown = JSON.parse(text)
  if (!Array.isArray(blocks)) throw invalid({ body: 'must be an array of blocks' })
  return blocks
}

/** The route to which pages with an embedded widget send answers. */
export const saveRoutes =
  (answers: PollAnswerService): Routes =>
  (app) => {
    readJsonText(app)
    // The handler validates the blocks.
    app.post('/poll_answers/save', { schema, validatorCompiler: () => () => true }, async ({ body, tracing: { address } }, reply) => {
      const json = body === undefined ? '' : String(body)
      const blocks = blocksIn(json)
      const widget = await answers.widgetOf(blocks)
      if (widget) reply.headers(widgetOriginHeaders(widget))
      const zone = await app.space.zones(widget?.customerId)
      const id = await answers.save(widget, { json, blocks, userIp: address, networks: networksOf(address), zone })
      return reply.code(201).send({ id: Number(id) })
    })
  }
