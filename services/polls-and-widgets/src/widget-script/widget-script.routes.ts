import { publicAnswerSchemas, type Routes, sendTagged, tagged } from '@caseway/kit/http'
import Type from 'typebox'

const type = 'text/javascript; charset=utf-8'

/** Browsers may reuse the script for a day without revalidation. */
const cacheControl = 'public, max-age=86400'

const schema = {
  ...{ operationId: 'getWidgetScript', tags: ['ChatWidget'] },
  summary: 'The script for a page that embeds a widget. It shows the published poll and sends the answers.',
  params: Type.Object({ external_hash: Type.String({ description: 'The hash of the widget.' }) }),
  response: publicAnswerSchemas(
    {
      200: { description: 'The script.', content: { 'text/javascript': { schema: { type: 'string' } } } },
      304: { description: 'The script is unchanged.', type: 'null' },
    },
    429,
    503,
  ),
}

/**
 * The script of widgets. It is the same for all, and takes the widget from its own address.
 * @param read called at the first request, so that the documents can be generated without a build
 */
export const widgetScriptRoutes =
  (read: () => string): Routes =>
  (app) => {
    let script: ReturnType<typeof tagged> | undefined
    app.get('/widgets/:external_hash/widget.js', { schema }, async (request, reply) => {
      // For pages with Cross-Origin-Embedder-Policy (HTML Standard), which load other resources only with this header.
      reply.header('cross-origin-resource-policy', 'cross-origin')
      script ??= tagged(read())
      return sendTagged(request, reply, script, { type, cacheControl })
    })
  }
