import { experts } from '@caseway/kit/caller'
import { action, type Routes, resourceRoutes, singletonRoute } from '@caseway/kit/http'
import Type from 'typebox'
import { chatWidgetResource } from './chat-widget.resource.js'
import type { ChatWidgetService } from './chat-widget.service.js'

const newHash = Type.Object({ external_hash: Type.String() }, { description: 'The new hash.' })

export const chatWidgetRoutes = (widgets: ChatWidgetService): Routes => [
  resourceRoutes(chatWidgetResource, widgets),
  singletonRoute(chatWidgetResource, { path: '', operationId: 'getNewestChatWidget' }, widgets.newest),
  action(
    chatWidgetResource,
    {
      ...{ method: 'PUT', path: ':id/external_hash', operationId: 'replaceExternalHash', versioned: true },
      summary: 'Replaces the hash of the widget. Pages that embed the old hash show nothing from then on.',
      ...{ roles: experts, right: chatWidgetResource.right, answers: { 200: newHash } },
    },
    async ({ caller, id, expected }) => {
      const { externalHash } = await widgets.replaceHash(caller, id, expected)
      return { external_hash: externalHash }
    },
  ),
]
