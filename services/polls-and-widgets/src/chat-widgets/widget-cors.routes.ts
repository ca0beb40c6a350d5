import type { Routes } from '@caseway/kit/http'
import type { ChatWidgetService } from './chat-widget.service.js'

/** How long a browser remembers the answer to a preflight, in seconds. */
const maxAge = 600

/**
 * Answers the preflights of POST `path` with JSON. A preflight names no widget: any page on which one runs may go on, and may read the answer to
 * its POST where that is for the widget of its own (`widgetOriginHeaders`).
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
