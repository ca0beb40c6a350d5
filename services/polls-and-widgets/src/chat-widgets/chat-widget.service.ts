import type { Employee } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { ChatWidgetRepository } from './chat-widget.repository.js'

export const chatWidgetService = (widgets: ChatWidgetRepository) => ({
  ...widgets,

  /** @throws AppError `not-found` when the office has none */
  newest: async (caller: Employee) => existing(await widgets.findNewest(caller)),

  /** For whoever has no office and no token. @throws AppError `not-found` */
  getByHash: async (hash: string) => existing(await widgets.findByHash(hash)),
})

const existing = <Found>(found: Found | null): Found => {
  if (!found) throw notFound()
  return found
}

export type ChatWidgetService = ReturnType<typeof chatWidgetService>
