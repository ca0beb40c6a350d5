import { experts } from '@caseway/kit/caller'
import { idText, line, required, timestamp, webOrigin, writable, writeOnly } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'
import { settingsText } from './widget-settings.js'

export const chatWidgetResource = defineResource({
  name: 'ChatWidget',
  path: 'chat_widget',
  table: 'chat_widgets',
  fields: {
    id: idText,
    external_hash: line({ max: 36 }),
    settings: writable(settingsText),
    url: required(writeOnly(webOrigin)),
    created: timestamp,
    modified: timestamp,
  },
  sort: ['id', 'modified'],
  listAs: 'results',
  listAt: 'list',
  createAnswers: ['external_hash'],
  right: 'widgets.manage',
  roles: { create: experts, update: experts, remove: experts },
})

export type NewChatWidget = InputOf<typeof chatWidgetResource>
export type ChatWidgetChanges = ChangesOf<typeof chatWidgetResource>
