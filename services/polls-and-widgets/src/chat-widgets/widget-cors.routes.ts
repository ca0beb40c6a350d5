import type { Routes } from '@caseway/kit/http'
import type { FastifyReply } from 'fastify'
import type { ChatWidgetService } from './chat-widget.service.js'

/**
 * Lets the pages of the widget's origin read an answer, and no others (Fetch Standard, CORS protocol). It is the same for every request, so that
 * caches need no `Vary`. No frame may show the answer but in these pages.
 */
export const allowWidgetOrigin = (reply: FastifyReply, { url }: { readonly url: string }): FastifyReply =>
  reply.headers({
    'access-control-allow-origin': url,
    'access-control-expose-headers': 'Retry-After',
    'content-security-policy': `default-src 'none'; frame-ancestors ${url}`,
  })

/** How long a browser remembers the answer to a preflight, in seconds. */
const maxAge = 600

/**
 * Answers the preflights of POST `path` with JSON. A preflight names no widget: any page on which one runs may go on, and may read the answer to
 * its POST where that is for the widget of its own (`allowWidgetOrigin`).
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
