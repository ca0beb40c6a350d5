import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { ChatWidgetRepository } from './chat-widget.repository.js'
import type { ChatWidgetChanges, NewChatWidget } from './chat-widget.resource.js'
import { noSettings } from './widget-settings.js'

export const chatWidgetService = (widgets: ChatWidgetRepository) => ({
  ...widgets,

  create: (caller: Employee, input: NewChatWidget) => widgets.create(caller, withText(input)),

  change: (caller: Employee, id: Id, changes: ChatWidgetChanges, expected?: number) =>
    widgets.change(caller, id, withText(changes), expected),

  /** The newest widget of the office. @throws AppError `not-found` where it has none */
  async newest(caller: Employee) {
    const widget = await widgets.findNewest(caller)
    if (!widget) throw notFound()
    return widget
  },
})

/** Converts settings that are null to an empty object, so that they are always JSON. */
const withText = <Sent extends ChatWidgetChanges>(sent: Sent): Sent => (sent.settings === null ? { ...sent, settings: noSettings } : sent)

export type ChatWidgetService = ReturnType<typeof chatWidgetService>
