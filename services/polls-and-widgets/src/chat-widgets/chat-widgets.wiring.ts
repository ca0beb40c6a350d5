import type { Db } from '../database.js'
import { chatWidgetRepository } from './chat-widget.repository.js'
import { chatWidgetRoutes } from './chat-widget.routes.js'
import { chatWidgetService } from './chat-widget.service.js'
import { publicWidgetRoutes } from './public-widget.routes.js'

export function wireChatWidgets(db: Db) {
  const widgets = chatWidgetService(chatWidgetRepository(db))
  return { widgets, routes: chatWidgetRoutes(widgets), publicRoutes: publicWidgetRoutes(widgets) }
}
