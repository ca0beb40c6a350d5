import { publicAnswerSchemas, type Routes, sendTagged, tagged } from '@caseway/kit/http'
import Type from 'typebox'

const type = 'text/javascript; charset=utf-8'

/** A page that has had the script today does not ask for it. */
const cacheControl = 'public, max-age=86400'

const schema = {
  ...{ operationId: 'getWidgetScript', tags: ['ChatWidget'] },
  summary: 'The script of a page that embeds a widget. It shows the published poll and sends what is answered.',
  params: Type.Object({ external_hash: Type.String({ description: 'Of the widget.' }) }),
  response: publicAnswerSchemas(
    {
      200: { description: 'The script.', content: { 'text/javascript': { schema: { type: 'string' } } } },
      304: { description: 'The script is the one that the caller has.', type: 'null' },
    },
    429,
    503,
  ),
}

/**
 * The same script for every widget: it reads its own address to know which it is.
 * @param read is called at the first request, so that the documents of a service that is not built can be made
 */
export const widgetScriptRoutes =
  (read: () => string): Routes =>
  (app) => {
    let script: ReturnType<typeof tagged> | undefined
    app.get('/widgets/:external_hash/widget.js', { schema }, async (request, reply) => {
      // Pages that let nothing of others in without its word (HTML Standard, Cross-Origin-Embedder-Policy).
      reply.header('cross-origin-resource-policy', 'cross-origin')
      script ??= tagged(read())
      return sendTagged(request, reply, script, { type, cacheControl })
    })
  }
