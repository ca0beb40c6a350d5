import { notFound } from '@caseway/kit/errors'
import { isClosed, type PublishedPolls } from '../polls/published-poll.js'

export const publicWidgetService = (polls: Pick<PublishedPolls, 'find'>) => ({
  /**
   * The widget, with the hashes of its open polls: its own hash, or none.
   * @throws AppError `not-found`
   */
  async get(hash: string) {
    const widget = await polls.find(hash)
    if (!widget) throw notFound()
    const { poll } = widget
    return { ...widget, polls: poll && !isClosed(poll) ? [widget.externalHash] : [] }
  },
})

export type PublicWidgetService = ReturnType<typeof publicWidgetService>
