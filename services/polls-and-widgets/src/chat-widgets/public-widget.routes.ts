import { publicAnswerSchemas, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import type { ChatWidgetService } from './chat-widget.service.js'
import { widgetOriginHeaders } from './widget-origin.js'

const hash = Type.Object({ external_hash: Type.String({ description: 'Of the widget.' }) })

const widget = Type.Object(
  { ChatWidget: Type.Object({ external_hash: Type.String(), settings: Type.Union([Type.String(), Type.Null()]) }) },
  { description: 'The widget.' },
)

const schema = {
  ...{ operationId: 'getPublicChatWidget', tags: ['ChatWidget'], params: hash },
  summary: 'The widget for the page that embeds it. Pages of its own origin can read the answer.',
  response: publicAnswerSchemas({ 200: widget }, 404, 429, 503),
}

/** What the page that embeds a widget asks for. */
export const publicWidgetRoutes =
  (widgets: Pick<ChatWidgetService, 'getByHash'>): Routes =>
  (app) => {
    app.get('/widgets/:external_hash', { schema }, async ({ params }, reply) => {
      const widget = await widgets.getByHash(params.external_hash)
      reply.headers({ ...widgetOriginHeaders(widget), 'cache-control': 'max-age=60' })
      return { ChatWidget: { external_hash: widget.externalHash, settings: widget.settings } }
    })
  }
