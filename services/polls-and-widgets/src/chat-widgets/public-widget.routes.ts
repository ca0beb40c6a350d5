import { publicAnswerSchemas, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import type { PublicWidgetService } from './public-widget.service.js'
import { widgetOriginHeaders } from './widget-origin.js'

const hash = Type.Object({ external_hash: Type.String({ description: 'The hash of the widget.' }) })

const ChatWidget = Type.Object({
  external_hash: Type.String(),
  settings: Type.Union([Type.String(), Type.Null()]),
  polls: Type.Array(Type.String(), { description: 'The hashes of the polls that can be answered (/polls/{external_hash}).' }),
})

const schema = {
  ...{ operationId: 'getPublicChatWidget', tags: ['ChatWidget'], params: hash },
  summary: 'The widget for the page that embeds it. Pages of its own origin can read the answer.',
  response: publicAnswerSchemas({ 200: Type.Object({ ChatWidget }, { description: 'The widget.' }) }, 404, 429, 503),
}

/** The routes by which a page with an embedded widget reads it. */
export const publicWidgetRoutes =
  (widgets: PublicWidgetService): Routes =>
  (app) => {
    app.get('/widgets/:external_hash', { schema }, async ({ params }, reply) => {
      const widget = await widgets.get(params.external_hash)
      reply.headers({ ...widgetOriginHeaders(widget), 'cache-control': 'max-age=60' })
      const { externalHash, settings, polls } = widget
      return { ChatWidget: { external_hash: externalHash, settings, polls } }
    })
  }
