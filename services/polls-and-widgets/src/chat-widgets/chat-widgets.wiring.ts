import type { Db } from '../database.js'
import { chatWidgetRepository } from './chat-widget.repository.js'
import { chatWidgetRoutes } from './chat-widget.routes.js'
import { chatWidgetService } from './chat-widget.service.js'
import { publicWidgetRoutes } from './public-widget.routes.js'
import { widgetPreflight } from './widget-cors.routes.js'

export function wireChatWidgets(db: Db) {
  const widgets = chatWidgetService(chatWidgetRepository(db))
  const publicRoutes = [publicWidgetRoutes(widgets), widgetPreflight('/poll_answers/save', widgets)]
  return { widgets, routes: chatWidgetRoutes(widgets), publicRoutes }
}
