import type { Routes } from '@caseway/kit/http'
import type { ChatWidgetService } from './chat-widget.service.js'

/** How long a browser remembers the answer to a preflight, in seconds. */
const maxAge = 600

/**
 * Answers CORS preflights of POST `path` with JSON. A preflight does not name a widget, so it is accepted from the origin of any; the answer to
 * the POST itself can be read only by the origin of its widget (`widgetOriginHeaders`).
 */
export const widgetPreflight =
  (path: string, widgets: Pick<ChatWidgetService, 'hasOrigin'>): Routes =>
  (app) => {
    app.options(path, async ({ headers: { origin } }, reply) => {
      reply.code(204).header('vary', 'Origin')
      if (origin !== undefined && (await widgets.hasOrigin(origin)))
        reply.headers({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'Content-Type',
          'access-control-max-age': maxAge,
        })
    })
  }
