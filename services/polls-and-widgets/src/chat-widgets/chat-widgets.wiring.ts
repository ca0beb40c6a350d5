import type { Db } from '../database.js'
import type { PublishedPolls } from '../polls/published-poll.js'
import { chatWidgetRepository } from './chat-widget.repository.js'
import { chatWidgetRoutes } from './chat-widget.routes.js'
import { type ChatWidgetService, chatWidgetService } from './chat-widget.service.js'
import { publicWidgetRoutes } from './public-widget.routes.js'
import { publicWidgetService } from './public-widget.service.js'
import { widgetPreflight } from './widget-cors.routes.js'

export function wireChatWidgets(db: Db) {
  const widgets = chatWidgetService(chatWidgetRepository(db))
  return { widgets, routes: chatWidgetRoutes(widgets) }
}

/** The routes that pages with an embedded widget call. */
export const wirePublicWidgets = (widgets: ChatWidgetService, polls: Pick<PublishedPolls, 'find'>) => [
  publicWidgetRoutes(publicWidgetService(polls)),
  widgetPreflight('/poll_answers/save', widgets),
]
