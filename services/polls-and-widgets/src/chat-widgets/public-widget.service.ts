import { isClosed, type PublishedPolls } from '../polls/published-poll.js'
import type { ChatWidgetService } from './chat-widget.service.js'

export const publicWidgetService = (widgets: Pick<ChatWidgetService, 'getByHash'>, polls: Pick<PublishedPolls, 'find'>) => ({
  /**
   * The widget with the hashes of the polls that can be answered: its own, or none.
   * @throws AppError `not-found`
   */
  async get(hash: string) {
    const widget = await widgets.getByHash(hash)
    const poll = await polls.find(widget.customerId, widget.id)
    return { ...widget, polls: poll && !isClosed(poll) ? [widget.externalHash] : [] }
  },
})

export type PublicWidgetService = ReturnType<typeof publicWidgetService>
